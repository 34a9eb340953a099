package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/unixsock"
	"tidepool/protocol"
)

// detached starts a daemon as agent does: its stderr is the log of the start, locked until the daemon answers.
func detached(t *testing.T, dir string, vars ...string) running {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "start.log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(log.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	serve := program(t, dir, vars, "serve", "--detached")
	serve.Stderr = log
	r := running{Daemon: daemontest.Launch(t, serve, dir)}
	name := log.Name()
	log.Close() // only the daemon holds the lock now
	daemontest.Eventually(t, "the daemon answers or has ended", func() bool {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
	})
	said, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r.said = string(said)
	return r
}

// lastWords waits for the end and returns the last messages of the log.
func (r running) lastWords(t *testing.T) string {
	t.Helper()
	if code := r.Wait(t); code != 0 {
		t.Errorf("the daemon ended with %d", code)
	}
	var messages []string
	for _, record := range r.Log(t) {
		messages = append(messages, record["msg"].(string))
	}
	return strings.Join(messages[1:], ", ")
}

func TestDetachedAnswersWhenItsStartIsOver(t *testing.T) {
	d := detached(t, daemontest.Project(t))
	daemontest.As[*protocol.Pong](t, d.Ask(t, &protocol.Ping{}))
	if d.said != "" {
		t.Errorf("it says %s", d.said)
	}
	second := detached(t, d.Project)
	if code := second.Wait(t); code != 0 || !strings.Contains(second.said, "already running") {
		t.Errorf("the second ends with %d and says %s", code, second.said)
	}
}

func TestDetachedSaysWhyItDoesNotStart(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"reddy_budget": "3s"}`)
	d := detached(t, dir)
	if code := d.Wait(t); code != 1 || !strings.Contains(d.said, "error: ") || !strings.Contains(d.said, `hint: did you mean "ready_budget"?`) {
		t.Errorf("it ends with %d and says %s", code, d.said)
	}
}

func TestIdleDaemonLeaves(t *testing.T) {
	d := detached(t, daemontest.Project(t), "TIDEPOOL_SERVER_IDLE_TIMEOUT=200ms")
	if got := d.lastWords(t); got != "leaving: nobody has needed the daemon, stopped" {
		t.Errorf("the log says %s", got)
	}
	told := startDaemon(t, daemontest.Project(t), nil, "--idle-timeout", "200ms")
	if got := told.lastWords(t); got != "leaving: nobody has needed the daemon, stopped" {
		t.Errorf("the log says %s", got)
	}
}

func TestDaemonStaysWithItsClients(t *testing.T) {
	d := detached(t, daemontest.Project(t), "TIDEPOOL_SERVER_IDLE_TIMEOUT=100ms")
	conn, err := unixsock.Dial(d.Socket(), time.Now().Add(daemontest.Patience))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(protocol.AppendRequest(nil, &protocol.Attach{})); err != nil {
		t.Fatal(err)
	}
	byHand := startDaemon(t, daemontest.Project(t), []string{"TIDEPOOL_SERVER_IDLE_TIMEOUT=100ms"})
	select {
	case <-d.Ended:
		t.Error("it left an attached client")
	case <-byHand.Ended:
		t.Error("one that was started by hand left")
	case <-time.After(500 * time.Millisecond): // five times what it would take
	}
}

func TestLostDaemonLeaves(t *testing.T) {
	for name, lose := range map[string]func(dir string) error{
		"the project is moved": func(dir string) error { return os.Rename(dir, dir+" moved") },
		"the socket is replaced": func(dir string) error {
			socket := filepath.Join(dir, ".tidepool", "control.sock")
			return errors.Join(os.Remove(socket), os.WriteFile(socket, nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits until the daemon notices
			d := startDaemon(t, daemontest.Project(t), nil)
			if err := lose(d.Project); err != nil {
				t.Fatal(err)
			}
			if code := d.Wait(t); code != 0 {
				t.Errorf("it ended with %d: %s", code, d.Stderr())
			}
			if name == "the socket is replaced" {
				if _, err := os.Stat(d.Socket()); err != nil {
					t.Errorf("it took away what is not its own: %v", err)
				}
			}
		})
	}
}

// callFor is a call that takes so long where the language server is deaf.
func callFor(d time.Duration) *protocol.MCPToolCall {
	return &protocol.MCPToolCall{ID: "7", ToolName: "find_callers", Arguments: json.RawMessage(`{"name": "F"}`), TimeoutMS: d.Milliseconds()}
}

// A call in flight outlives the handing over, and the successor does not wait for it.
func TestYieldToAnotherBuild(t *testing.T) {
	t.Parallel() // it waits for a call that takes ten seconds
	dir := daemontest.Project(t)
	deafServer(t, dir)
	const drain = "TIDEPOOL_SERVER_DRAIN_TIMEOUT=10ms"
	first := detached(t, dir, drain)
	answer := first.Send(t, callFor(10*time.Second))
	daemontest.Eventually(t, "the call is in flight", func() bool { return first.Status(t).CallsInFlight == 1 })

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	same := daemontest.As[*protocol.Attached](t, first.Ask(t, &protocol.Attach{Build: protocol.Build(self)}))
	if same.Leaving {
		t.Fatal("it leaves for the build that it is")
	}
	other := daemontest.As[*protocol.Attached](t, first.Ask(t, &protocol.Attach{Build: "other"}))
	if !other.Leaving {
		t.Fatal("it does not leave for another build")
	}
	second := detached(t, dir, drain)
	if pid := second.Status(t).PID; pid != second.PID() || second.said != "" {
		t.Errorf("pid %d answers, and the second says %s", pid, second.said)
	}
	response := daemontest.As[*protocol.MCPToolResponse](t, answer())
	if response.Error != nil || !strings.Contains(response.Text, "not known yet") {
		t.Errorf("the call did not get its time: %+v", response)
	}
	first.Wait(t)
	daemontest.As[*protocol.Pong](t, second.Ask(t, &protocol.Ping{}))
}

// A daemon that somebody started by hand is not a client's to replace.
func TestForegroundDoesNotYield(t *testing.T) {
	d := startDaemon(t, daemontest.Project(t), nil)
	if daemontest.As[*protocol.Attached](t, d.Ask(t, &protocol.Attach{Build: "other"})).Leaving {
		t.Error("it leaves")
	}
}

// A daemon that is started while another one still drains waits for its place.
func TestDetachedWaitsForADrain(t *testing.T) {
	dir := daemontest.Project(t)
	deafServer(t, dir)
	first := startDaemon(t, dir, nil)
	answer := first.Send(t, callFor(time.Second))
	daemontest.Eventually(t, "the call is in flight", func() bool { return first.Status(t).CallsInFlight == 1 })
	first.Signal(t, syscall.SIGTERM)
	daemontest.Eventually(t, "the socket is gone", func() bool { _, err := os.Lstat(first.Socket()); return err != nil })
	second := detached(t, dir)
	daemontest.As[*protocol.MCPToolResponse](t, answer())
	first.Wait(t)
	if pid := second.Status(t).PID; pid != second.PID() {
		t.Errorf("pid %d answers", pid)
	}
}

func TestSettingsThatCameWithAClone(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"pre_tool_use": "allow", "languages": {"go": {"command": ["touch", "ran"]}}, "log": {"level": "debug"}}`)
	bareModule(t, dir)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", ".tidepool/config.json"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	d := detached(t, dir)
	refused := d.Status(t).Settings.Refused
	if len(refused) != 2 || !strings.Contains(refused[0], "pre_tool_use is refused") || !strings.Contains(refused[1], "git tracks the file") {
		t.Errorf("the status tells %q", refused)
	}
	if !slices.ContainsFunc(d.Log(t), func(r map[string]any) bool { return r["msg"] == "setting refused" && r["level"] == "WARN" }) {
		t.Error("the log does not tell")
	}
	event := &protocol.HookEvent{Input: json.RawMessage(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`)}
	if out := daemontest.As[*protocol.HookResponse](t, d.Ask(t, event)).Output; strings.Contains(string(out), "allow") {
		t.Errorf("a tool runs unasked: %s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the clone's program ran")
	}
	runProgram(t, dir, nil, "config").want(t, 0, "log.level", "warning: ")
}
