package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemon"
	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

func TestStatus(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	r := runProgram(t, dir, nil, "status", "--json")
	var s protocol.StatusResponse
	if err := json.Unmarshal([]byte(r.out), &s); err != nil {
		t.Fatalf("%v in %s", err, r.out)
	}
	if s.PID != d.PID() || s.Project != dir || s.Version != "dev" || s.StartedAt == "" || s.LanguageServers == nil || s.Hooks == nil || s.MemoryBytes == 0 || s.Settings == nil || s.Memory == nil || s.Memory.BudgetBytes == 0 || s.Memory.OccupiedBytes == 0 {
		t.Errorf("status = %s", r.out)
	}
}

func failed(t *testing.T, dir, name string, records ...protocol.HookFailure) {
	t.Helper()
	daemontest.WriteConfig(t, dir, "{}")
	var text []byte
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.WriteFile(filepath.Join(dir, ".tidepool", name), append(text, `{"time":"20`...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What failed is shown when no daemon runs, above all.
func TestStatusShowsFailures(t *testing.T) {
	dir := daemontest.Project(t)
	now := time.Now().UTC().Format(time.RFC3339)
	failed(t, dir, "hook-failures.jsonl.1",
		protocol.HookFailure{Time: "2020-02-03T04:05:06Z", Event: "Stop", Reason: "no daemon answers"})
	failed(t, dir, "hook-failures.jsonl",
		protocol.HookFailure{Time: now, Event: "PreToolUse", Reason: "no daemon answers"},
		protocol.HookFailure{Time: now, Event: "PreToolUse", Reason: "in time", Closed: true})
	r := runProgram(t, dir, nil, "status")
	r.want(t, 1, "3 hooks got no answer", "error: not running: no daemon serves "+dir+"\nhint: the next session of Claude Code starts it; controlserver serve does so now\n")
	for _, want := range []string{"1 × PreToolUse refused: in time\n", "2 × PreToolUse, Stop passed unchecked: no daemon answers\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	r = runProgram(t, dir, nil, "status", "--json")
	var s struct {
		Running      bool
		Error        string
		HookFailures []protocol.HookFailure `json:"hook_failures"`
	}
	if err := json.Unmarshal([]byte(r.out), &s); err != nil || r.code != 1 {
		t.Fatalf("%v: %d, %s", err, r.code, r.out)
	}
	if s.Running || !strings.HasPrefix(s.Error, "not running") || len(s.HookFailures) != 3 || s.HookFailures[0].Event != "Stop" || !s.HookFailures[2].Closed {
		t.Errorf("got %+v", s)
	}
}

// A checkout may bring a link to anywhere under the name of the file.
func TestFailuresThatAreNone(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, "{}")
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte(`{"time":"t","event":"Stop","reason":"hunter2"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, ".tidepool", "hook-failures.jsonl")); err != nil {
		t.Fatal(err)
	}
	runProgram(t, dir, nil, "status").want(t, 1, "", "reading what failed")
}

// Nothing that a status prints is wider than a terminal, whatever it is about.
func TestStatusFits(t *testing.T) {
	dir := filepath.Join(daemontest.Project(t), strings.Repeat("ein langer Weg mit ü ", 8)+"x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	deafServer(t, dir)
	failed(t, dir, "hook-failures.jsonl", protocol.HookFailure{Time: "?", Event: "Stop", Reason: strings.Repeat("漢", 200)})
	d := startDaemon(t, dir, nil)
	d.hook(t, `{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "`+strings.Repeat("x", 90)+`"}`)
	r := runProgram(t, dir, []string{"COLUMNS=200"}, "status")
	for line := range strings.Lines(r.out) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if r.code != 0 || !strings.Contains(r.out, " MB\n") || !strings.Contains(r.out, "1 session") {
		t.Errorf("%d: %s", r.code, r.out)
	}
}

// A daemon that is there and says nothing is not the same as none.
func TestStatusOfMute(t *testing.T) {
	dir := daemontest.Project(t)
	mute, err := daemon.Claim(t.Context(), daemon.Options{StateDir: filepath.Join(dir, ".tidepool")})
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	r := runProgram(t, dir, nil, "status", "--timeout", "50ms")
	r.want(t, 1, "", "does not say how it is: no answer in 50ms\nhint: its log is "+dir+"/.tidepool/logs/controlserver.log; controlserver stop ends it\n")
}
