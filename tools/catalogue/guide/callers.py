#!/usr/bin/env python3
"""Prints the functions that call every one of some functions: callers.py F T.M …"""
import http.client, json, os, socket, sys


class Tools(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.environ["TIDEPOOL_SAFE_SOCKET"])


def call(tool, **arguments):
    tools = Tools("tools")
    tools.request("POST", "/tools/" + tool, json.dumps(arguments),
                  {"Authorization": "Bearer " + os.environ["TIDEPOOL_SAFE_TOKEN"]})
    reply = tools.getresponse()
    answer = json.load(reply)
    if reply.status != 200:
        sys.exit(f"{tool}: {answer['error']}")
    return answer


callers = []
for name in sys.argv[1:]:
    answer = call("find_callers", name=name, context_lines=0, max_results=1000)
    if answer["warning"]:
        sys.exit(f"{name}: {answer['warning']}")
    if answer["completeness"]["state"] != "complete" or answer["truncated"]:
        print(f"{name}: the list of callers is not complete", file=sys.stderr)
    callers.append({(site["file"], site["enclosing"]) for site in answer["call_sites"]})
for file, function in sorted(set.intersection(*callers)):
    print(f"{os.path.relpath(file)}: {function}")
