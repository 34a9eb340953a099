package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
)

func TestLogs(t *testing.T) {
	dir := daemontest.Project(t)
	runProgram(t, dir, nil, "logs").want(t, 1, "", "error: there is no log: no daemon has served "+dir+"\nhint: start one")
	d := startDaemon(t, dir, nil)
	d.hook(t, `{"hook_event_name": "Stop", "session_id": "a\u001b[2J b"}`)

	r := runProgram(t, dir, nil, "logs", "-n", "1")
	r.want(t, 0, `INFO  stop event=Stop session="a\x1b[2J b" again=false`+"\n", "")
	if strings.Count(r.out, "\n") != 1 {
		t.Errorf("more than a line: %s", r.out)
	}
	runProgram(t, dir, nil, "logs").want(t, 0, "INFO  serving socket="+dir, "")
	r = runProgram(t, dir, nil, "logs", "--json", "-n", "1")
	var record map[string]any
	if err := json.Unmarshal([]byte(r.out), &record); err != nil || record["msg"] != "stop" || record["session"] != "a\x1b[2J b" {
		t.Errorf("%v: %s", err, r.out)
	}
}

func TestLogsFollow(t *testing.T) {
	dir := daemontest.Project(t)
	cmd := program(t, dir, nil, "logs", "-f") // whether it looks before the daemon writes or after
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	defer time.AfterFunc(daemontest.Patience, func() { _ = cmd.Process.Kill() }).Stop()
	lines := bufio.NewScanner(out)
	awaited := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the end came before %q", want)
	}
	d := startDaemon(t, dir, nil)
	awaited("INFO  serving")
	d.hook(t, `{"hook_event_name": "Stop"}`)
	awaited("INFO  stop")
	log := filepath.Join(dir, ".tidepool", "logs", "controlserver.log")
	if err := os.Rename(log, filepath.Join(filepath.Dir(log), "controlserver-2026-11-20T10-00-00.000.log")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte("panic: \x1b[2J\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	awaited(`panic: \x1b[2J`)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v", err)
	}
}
