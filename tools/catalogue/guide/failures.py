#!/usr/bin/env python3
"""Runs go test, keeps all of its output by reference, and prints the parts of the tests that failed: failures.py ./…"""
import http.client, json, os, re, socket, subprocess, sys


class Tools(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.environ["TIDEPOOL_SAFE_SOCKET"])


def post(path, body):
    tools = Tools("tools")
    tools.request("POST", path, body, {"Authorization": "Bearer " + os.environ["TIDEPOOL_SAFE_TOKEN"]})
    reply = tools.getresponse()
    answer = json.load(reply)
    if reply.status != 200:
        sys.exit(f"{path}: {answer['error']}")
    return answer


tests = subprocess.run(["go", "test", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
output = tests.stdout[-1_000_000:]
ref = post("/refs", output)["ref"]
lines = output.decode(errors="replace").splitlines()
failed = [n for n, line in enumerate(lines, 1) if re.match(r"--- FAIL: ", line)]
for first in failed:
    last = first
    while last < len(lines) and lines[last].startswith(" "):
        last += 1
    part = post("/tools/ref_content", json.dumps({"ref": ref, "lines": f"{first}-{min(last, first + 20)}"}))
    print(part["content"], end="")
print(f'{len(failed)} failed; all {len(lines)} lines: ref_content {{"ref":"{ref}"}}')
sys.exit(tests.returncode)
