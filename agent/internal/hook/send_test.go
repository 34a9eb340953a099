package hook_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// Only the start of a session and a prompt start a daemon, and their failure says why that went wrong.
func TestWhoStarts(t *testing.T) {
	const missing = "there is no controlserver beside agent or on PATH to start: install it beside /bin/agent"
	for event, reason := range map[protocol.Event]string{
		protocol.SessionStart:     missing,
		protocol.UserPromptSubmit: missing,
		protocol.PreToolUse:       "run `controlserver serve`",
		protocol.SessionEnd:       "run `controlserver serve`",
	} {
		dir := peertest.Project(t)
		asked := false
		got := runHook(hook.Hook{
			Event: event, Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: stdin(t, `{"hook_event_name":"`+string(event)+`","tool_name":"Bash"}`),
			Launcher: func() *launch.Launcher {
				asked = true
				return &launch.Launcher{Agent: "/bin/agent"}
			},
		})
		if got.status != 0 || !strings.Contains(got.stderr, reason) || asked != (reason == missing) {
			t.Errorf("%s: asked %v, %+v", event, asked, got)
		}
	}
}

func TestNoAutostart(t *testing.T) {
	for _, event := range []protocol.Event{protocol.SessionStart, protocol.UserPromptSubmit} {
		dir := peertest.Project(t)
		got := runHook(hook.Hook{
			Event: event, Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: stdin(t, "{}"),
			Launcher: func() *launch.Launcher { return &launch.Launcher{Off: true} },
		})
		if got.status != 0 || !strings.Contains(got.stderr, "run `controlserver serve`") {
			t.Errorf("%s: %+v", event, got)
		}
	}
}

// A prompt waits for a daemon that does not come for a moment only; one that would be refused, as long as a session's start.
func TestPromptWaitsAMoment(t *testing.T) {
	t.Parallel()
	for env, least := range map[string]time.Duration{"": 250 * time.Millisecond, "TIDEPOOL_FAIL_MODE=closed": 2900 * time.Millisecond} {
		dir := peertest.Project(t)
		start := time.Now()
		got := runHook(hook.Hook{
			Event: protocol.UserPromptSubmit, Runtime: "claude", Start: start, Dir: dir, Stdin: stdin(t, "{}"),
			Launcher: func() *launch.Launcher { return &launch.Launcher{Agent: neverStarts(t), Program: "/bin/controlserver"} },
		}, env)
		if took := time.Since(start); took < least || took > least+2500*time.Millisecond {
			t.Errorf("%s: it took %v", env, took)
		}
		if !strings.Contains(got.stderr, "does not answer yet") || (got.stdout == "") != (env == "") {
			t.Errorf("%s: %+v", env, got)
		}
		if _, err := os.Lstat(mark(dir)); err == nil {
			t.Errorf("%s: a daemon that starts counts as one that hangs", env)
		}
	}
}

// neverStarts returns a program that does as agent spawn does, with a daemon that never answers.
func neverStarts(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "agent")
	pids := program + ".pid"
	if err := os.WriteFile(program, []byte("#!/bin/sh\nsleep 600 & echo $! >"+pids+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		text, _ := os.ReadFile(pids)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return program
}

// A session whose user wants nothing remembered says so with each event.
func TestNoRecall(t *testing.T) {
	dir := peertest.Project(t)
	events := make(chan *protocol.HookEvent, 1)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		events <- r.(*protocol.HookEvent)
		c.Reply(&protocol.HookResponse{})
	})
	for env, want := range map[string]bool{"": false, "TIDEPOOL_RECALL=": false, "TIDEPOOL_RECALL=1": false, "TIDEPOOL_RECALL=0": true, "TIDEPOOL_RECALL=off": true} {
		run(t, dir, protocol.UserPromptSubmit, `{"prompt":"hello"}`, env)
		if got := <-events; got.NoRecall != want {
			t.Errorf("%s: %v", env, got.NoRecall)
		}
	}
}

// Any event waits for a daemon that somebody is starting.
func TestHookJoinsAStart(t *testing.T) {
	dir := peertest.Project(t)
	path := filepath.Join(dir, protocol.StateDir, launch.LogName)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := syscall.Flock(int(log.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	done := make(chan result)
	go func() { done <- run(t, dir, protocol.PreToolUse, sample(t, "PreToolUse.json")) }()
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Attach); ok {
			c.Reply(&protocol.Attached{})
			return
		}
		c.Reply(&protocol.HookResponse{Output: []byte(`{"systemMessage":"hi"}`)})
	})
	if got := <-done; got.stdout != `{"systemMessage":"hi"}`+"\n" || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
}

// The daemon gets fingerprints of the session's secrets when it starts and at each prompt, and no value with any event.
func TestFingerprintsAreSent(t *testing.T) {
	dir := peertest.Project(t)
	events := make(chan *protocol.HookEvent, 1)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		events <- r.(*protocol.HookEvent)
		c.Reply(&protocol.HookResponse{})
	})
	for event, sent := range map[protocol.Event]bool{
		protocol.SessionStart: true, protocol.UserPromptSubmit: true, protocol.PreToolUse: false, protocol.PostToolUse: false, protocol.Stop: false,
	} {
		h := hook.Hook{
			Event: event, Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: stdin(t, `{"tool_name":"Bash"}`),
			Environ: func() []string { return []string{"API_TOKEN=tok-4f9Qw7Lx2Zb8"} },
		}
		if got := runHook(h); got.status != 0 || got.stderr != "" {
			t.Errorf("%s: %+v", event, got)
		}
		prints := string((<-events).Fingerprints)
		if strings.Contains(prints, "API_TOKEN") != sent || strings.Contains(prints, "4f9Q") {
			t.Errorf("%s: %s", event, prints)
		}
	}
}
