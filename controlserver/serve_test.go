package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

func TestServe(t *testing.T) {
	dir := daemontest.Project(t)
	d := startDaemon(t, dir, nil)
	pid := strconv.Itoa(d.PID())
	daemontest.As[*protocol.Pong](t, d.Ask(t, &protocol.Ping{}))

	runProgram(t, dir, nil, "serve").want(t, 0, "", "already running (pid "+pid+")\n")
	runProgram(t, dir, nil, "status").want(t, 0, "pid "+pid+", version dev (build ", "")
	runProgram(t, dir, nil, "stop").want(t, 0, "stopped (pid "+pid+")\n", "")
	if code := d.Wait(t); code != 0 || d.Stderr() != "" {
		t.Errorf("the daemon ended with %d and said %q", code, d.Stderr())
	}
	runProgram(t, dir, nil, "stop").want(t, 0, "not running\n", "")

	for name, mode := range map[string]os.FileMode{"": 0o700, "logs": 0o700, "logs/controlserver.log": 0o600, ".gitignore": 0o600} {
		info, err := os.Stat(filepath.Join(dir, ".tidepool", name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf(".tidepool/%s: %v, %v, want mode %o", name, info, err, mode)
		}
	}
	if _, err := os.Lstat(d.Socket()); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	var messages []string
	for _, record := range d.Log(t) {
		messages = append(messages, record["msg"].(string))
	}
	if got := strings.Join(messages, ", "); got != "serving, stopping, stopped" {
		t.Errorf("the log says %s", got)
	}
}

// A place that is long, has spaces and is not ASCII is a place like any other.
func TestServeLongPath(t *testing.T) {
	dir := filepath.Join(daemontest.Project(t), strings.Repeat("ein langer Weg mit ü ", 8)+"x")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d := startDaemon(t, dir, nil)
	daemontest.As[*protocol.Pong](t, d.Ask(t, &protocol.Ping{}))
	runProgram(t, daemontest.Project(t), nil, "status", "--json", "--project", dir).want(t, 0, dir, "")
	runProgram(t, daemontest.Project(t), nil, "stop", "--project", dir).want(t, 0, "stopped", "")
}

// From a directory inside the project the same daemon is found, and through a symbolic link, too.
func TestServeIsFoundFromBelow(t *testing.T) {
	dir := daemontest.Project(t)
	below := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(daemontest.Project(t), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	d := startDaemon(t, dir, nil)
	pid := strconv.Itoa(d.PID())
	runProgram(t, below, nil, "serve").want(t, 0, "", "already running (pid "+pid+")\n")
	runProgram(t, dir, nil, "serve", "--project", link).want(t, 0, "", "already running (pid "+pid+")\n")
	runProgram(t, daemontest.Project(t), []string{"CLAUDE_PROJECT_DIR=" + link}, "stop").want(t, 0, "stopped (pid "+pid+")", "")
}

func TestServeMistakes(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"server": {"workers": 0}}`)
	runProgram(t, dir, nil, "serve").want(t, 1, "", "config.json:1: server.workers: expected a whole number")

	link := daemontest.Project(t)
	if err := os.Symlink(dir, filepath.Join(link, ".tidepool")); err != nil {
		t.Fatal(err)
	}
	runProgram(t, link, nil, "serve").want(t, 1, "", "hint: remove it")
}

func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		if signal.Ignored(s) { // these tests run under nohup or so, and the daemon would obey that
			continue
		}
		d := startDaemon(t, daemontest.Project(t), nil)
		d.Signal(t, s)
		if code := d.Wait(t); code != 0 {
			t.Errorf("after %v the daemon ends with %d: %s", s, code, d.Stderr())
		}
	}
}

// The first signal lets a call run on, the second does not.
func TestSecondSignalHurries(t *testing.T) {
	dir := daemontest.Project(t)
	deafServer(t, dir)
	d := startDaemon(t, dir, nil)
	answer := d.Send(t, &protocol.MCPToolCall{ID: "7", ToolName: "find_callers", Arguments: json.RawMessage(`{"name": "F"}`)})
	daemontest.Eventually(t, "the call is in flight", func() bool { return d.Status(t).CallsInFlight == 1 })

	d.Signal(t, syscall.SIGTERM)
	daemontest.Eventually(t, "the daemon drains", func() bool {
		records := d.Log(t)
		return records[len(records)-1]["msg"] == "stopping"
	})
	select {
	case <-d.Ended:
		t.Fatal("the daemon did not wait for the call")
	default:
	}

	d.Signal(t, syscall.SIGTERM)
	response := daemontest.As[*protocol.MCPToolResponse](t, answer())
	if response.ID != "7" || response.Error == nil || !strings.Contains(response.Error.Message, "stopping") {
		t.Errorf("the call is answered by %+v", response)
	}
	if code := d.Wait(t); code != 0 {
		t.Errorf("the daemon ended with %d: %s", code, d.Stderr())
	}
}

// Whoever asks is answered while a language server makes up its mind.
func TestServeAnswersBeforeLanguageServers(t *testing.T) {
	dir := daemontest.Project(t)
	deafServer(t, dir)
	d := startDaemon(t, dir, nil)
	daemontest.As[*protocol.Pong](t, d.Ask(t, &protocol.Ping{}))
	s := d.Status(t)
	if len(s.LanguageServers) != 1 {
		t.Fatalf("status = %+v", s)
	}
	if row := s.LanguageServers[0]; row.Language != "go" || row.Command != "sh" || row.State != "starting" || s.Ready || s.Completeness != "indexing" {
		t.Errorf("status = %+v", s)
	}
	runProgram(t, dir, nil, "status").want(t, 0, "sh starting for ", "")
}

// A killed daemon leaves its socket behind; the next one does not mind.
func TestServeAfterKill(t *testing.T) {
	dir := daemontest.Project(t)
	first := startDaemon(t, dir, nil)
	first.Signal(t, syscall.SIGKILL)
	first.Wait(t)
	runProgram(t, dir, nil, "status").want(t, 1, "", "error: not running")
	runProgram(t, dir, nil, "stop").want(t, 0, "not running\n", "")
	second := startDaemon(t, dir, nil)
	daemontest.As[*protocol.Pong](t, second.Ask(t, &protocol.Ping{}))
}
