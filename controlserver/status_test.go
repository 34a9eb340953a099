package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/daemon"
	"tidepool/protocol"
)

func TestStatus(t *testing.T) {
	dir := project(t)
	d := startDaemon(t, dir, nil)
	r := runProgram(t, dir, nil, "status", "--json")
	var s protocol.StatusResponse
	if err := json.Unmarshal([]byte(r.out), &s); err != nil {
		t.Fatalf("%v in %s", err, r.out)
	}
	if s.PID != d.cmd.Process.Pid || s.Project != dir || s.Version != "dev" || s.StartedAt == "" || s.LanguageServers == nil || s.Hooks == nil {
		t.Errorf("status = %s", r.out)
	}
}

func TestPrintStatus(t *testing.T) { synctest.Test(t, testPrintStatus) } // whose time stands still

func testPrintStatus(t *testing.T) {
	since := time.Now().Add(-90 * time.Second).Format(time.RFC3339)
	s := &protocol.StatusResponse{
		PID: 12, Version: "v1", Project: "/p\x1b[2J", UptimeMS: 3_600_000, Completeness: "indexing",
		LanguageServers: []protocol.LanguageServer{
			{Language: "go", Command: "gopls", PID: 13, State: "indexing", Since: since, Done: 3, Total: 10, Restarts: 1},
			{Language: "rust", Command: "rust-analyzer", State: "missing", Message: "rust-analyzer is not on PATH"},
		},
		Clients: 2, Calls: 5, CallsInFlight: 1,
		Hooks: map[string]int64{"Stop": 1, "PreToolUse": 4},
	}
	var out bytes.Buffer
	if err := printStatus(&out, s); err != nil {
		t.Fatal(err)
	}
	want := `daemon           pid 12, version v1, up 1h0m0s
project          /p\x1b[2J
answers          indexing
go               gopls indexing, 3 of 10 for 1m30s, pid 13, restarts: 1
rust             rust-analyzer missing: rust-analyzer is not on PATH
calls            5, 1 in flight
clients          2
hook PreToolUse  4
hook Stop        1
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A daemon that is there and says nothing is not the same as none.
func TestStatusOfMute(t *testing.T) {
	dir := project(t)
	mute, err := daemon.Claim(t.Context(), daemon.Options{StateDir: filepath.Join(dir, ".tidepool")})
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	r := runProgram(t, dir, nil, "status", "--timeout", "50ms")
	r.want(t, 1, "", "does not say how it is: no answer in 50ms\nhint: its log is "+dir+"/.tidepool/logs/controlserver.log; controlserver stop ends it\n")
}
