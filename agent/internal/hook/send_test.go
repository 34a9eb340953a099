package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// Only the event that begins a session starts a daemon, and its failure says why that went wrong.
func TestOnlySessionStartStarts(t *testing.T) {
	for event, reason := range map[protocol.Event]string{
		protocol.SessionStart: "there is no controlserver beside agent or on PATH to start: install it beside /bin/agent",
		protocol.PreToolUse:   "run `controlserver serve`",
		protocol.SessionEnd:   "run `controlserver serve`",
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
		if got.status != 0 || !strings.Contains(got.stderr, reason) || asked != (event == protocol.SessionStart) {
			t.Errorf("%s: asked %v, %+v", event, asked, got)
		}
	}
}

func TestSessionStartWithoutAutostart(t *testing.T) {
	dir := peertest.Project(t)
	got := runHook(hook.Hook{
		Event: protocol.SessionStart, Runtime: "claude", Start: time.Now(), Dir: dir, Stdin: stdin(t, "{}"),
		Launcher: func() *launch.Launcher { return &launch.Launcher{Off: true} },
	})
	if got.status != 0 || !strings.Contains(got.stderr, "run `controlserver serve`") {
		t.Errorf("got %+v", got)
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
