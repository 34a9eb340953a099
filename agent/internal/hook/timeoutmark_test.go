package hook_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// silentPeers are daemons that hang, each in its own way. They get a connection whose request is left unread.
func silentPeers() map[string]func(net.Conn) {
	return map[string]func(net.Conn){
		"never answers": func(net.Conn) {},
		"half a line":   func(c net.Conn) { _, _ = c.Write([]byte(`{"type":"HookResponse","output":{`)) },
		"drips": func(c net.Conn) {
			_, err := c.Write([]byte(`{"type":"HookResponse","output":{"x":"`))
			for err == nil {
				time.Sleep(20 * time.Millisecond) // a slow peer, not a wait for something
				_, err = c.Write([]byte("x"))
			}
		},
	}
}

// hang serves the project's socket with a silent peer until the test ends.
func hang(t *testing.T, dir string, peer func(net.Conn)) net.Listener {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(dir, protocol.StateDir, protocol.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			running.Go(func() { peer(conn) })
		}
	})
	t.Cleanup(running.Wait)
	t.Cleanup(func() { listener.Close() })
	return listener
}

// A hook of a daemon that hangs ends before the client kills it, as its mode says, with a record. All run at once, for
// each takes its whole time.
func TestHookEndsBeforeTheClientKillsIt(t *testing.T) {
	t.Parallel()
	refusals := map[protocol.Event]string{ // "" refuses by status
		protocol.PreToolUse: `"permissionDecision":"deny"`, protocol.UserPromptSubmit: `"decision":"block"`,
		protocol.Stop: `"decision":"block"`, protocol.SessionStart: "", protocol.SessionEnd: "",
	}
	var hooks sync.WaitGroup
	for name, peer := range silentPeers() {
		for event, refusal := range refusals {
			for _, mode := range []string{"open", "closed"} {
				dir := peertest.Project(t)
				hang(t, dir, peer)
				hooks.Go(func() {
					start := time.Now()
					got := run(t, dir, event, `{"hook_event_name":"`+string(event)+`","tool_name":"Bash"}`, "TIDEPOOL_FAIL_MODE="+mode)
					times := protocol.TimeOf(event)
					if took := time.Since(start); took > (times.Limit+times.Timeout)/2 {
						t.Errorf("%s, %s, %s: it took %v of the client's %v", name, event, mode, took, times.Timeout)
					}
					refused := got.status == 2 || got.stdout != "" && strings.Contains(got.stdout, refusal)
					if refused != (mode == "closed") || mode == "open" && got.status != 0 {
						t.Errorf("%s, %s, %s: %+v", name, event, mode, got)
					}
					if list := records(t, dir); len(list) != 1 || !strings.Contains(list[0]["reason"].(string), "did not answer in time") {
						t.Errorf("%s, %s, %s: records %v", name, event, mode, list)
					}
				})
			}
		}
	}
	hooks.Wait()
}

// A daemon that hangs costs one wait: the hooks after it ask only for a Pong.
func TestHungDaemonCostsOneWait(t *testing.T) {
	dir := peertest.Project(t)
	listener := hang(t, dir, func(net.Conn) {})
	input := sample(t, "PreToolUse.json")
	first := run(t, dir, "PreToolUse", input, "TIDEPOOL_HOOK_TIMEOUT=100ms")
	if !strings.Contains(first.stderr, "did not answer in time") {
		t.Fatalf("the first hook: %+v", first)
	}
	start := time.Now()
	for range 9 {
		got := run(t, dir, "PreToolUse", input, "TIDEPOOL_FAIL_MODE=closed")
		if !strings.Contains(got.stderr, "the daemon hangs") || !strings.Contains(got.stdout, `"permissionDecision":"deny"`) {
			t.Fatalf("a hook after the first: %+v", got)
		}
	}
	if took := time.Since(start); took > 9*2*time.Second {
		t.Errorf("nine hooks took %v", took)
	}
	if list := records(t, dir); len(list) != 10 {
		t.Errorf("%d records of ten hooks", len(list))
	}
	// Another daemon in its place is not held to that.
	listener.Close()
	asked := make(chan protocol.Request, 2)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		asked <- r
		c.Reply(&protocol.HookResponse{})
	})
	if got := run(t, dir, "PreToolUse", input); got != (result{}) {
		t.Errorf("with another daemon: %+v", got)
	}
	if r := <-asked; len(asked) > 0 {
		t.Errorf("another daemon is asked %T first", r)
	}
	if _, err := os.Lstat(mark(dir)); !os.IsNotExist(err) {
		t.Errorf("the mark is left: %v", err)
	}
}

// A daemon that is slow once, but lives, gets the usual time again: it answers a ping.
func TestSlowDaemonIsNotTakenForAHungOne(t *testing.T) {
	dir := peertest.Project(t)
	slow := make(chan struct{})
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Ping); ok {
			c.Reply(&protocol.Pong{})
			return
		}
		<-slow
		c.Reply(&protocol.HookResponse{Output: []byte(`{"systemMessage":"hi"}`)})
	})
	input := sample(t, "Stop.json")
	if got := run(t, dir, "Stop", input, "TIDEPOOL_HOOK_TIMEOUT=50ms"); !strings.Contains(got.stderr, "did not answer in time") {
		t.Fatalf("the first hook: %+v", got)
	}
	if _, err := os.Lstat(mark(dir)); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*hook.HailLimit/2, func() { close(slow) })
	if got := run(t, dir, "Stop", input); got.stdout != `{"systemMessage":"hi"}`+"\n" || got.stderr != "" {
		t.Errorf("the next hook: %+v", got)
	}
	if _, err := os.Lstat(mark(dir)); !os.IsNotExist(err) {
		t.Errorf("the mark is left: %v", err)
	}
}

// What a checkout puts in the mark's place is neither followed nor believed, nor does it hold up a hook.
func TestMarksOfOthers(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	for name, plant := range map[string]func(path string) error{
		"a link":           func(path string) error { return os.Symlink(victim, path) },
		"a link inside":    func(path string) error { return os.Symlink("config.json", path) },
		"a pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a directory":      func(path string) error { return os.Mkdir(path, 0o700) },
		"a large file":     func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0o600) },
		"an endless file":  func(path string) error { return os.Symlink("/dev/zero", path) },
		"another's socket": func(path string) error { return os.WriteFile(path, []byte("socket 1:2 of 3\n"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := peertest.Project(t)
			config := filepath.Join(dir, protocol.StateDir, "config.json")
			for _, path := range []string{victim, config} {
				if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := plant(mark(dir)); err != nil {
				t.Fatal(err)
			}
			listener := hang(t, dir, func(net.Conn) {})
			got := run(t, dir, "Stop", `{}`, "TIDEPOOL_HOOK_TIMEOUT=50ms")
			if !strings.Contains(got.stderr, "did not answer in time") { // and not "hangs"
				t.Errorf("a hook with a hung daemon: %+v", got)
			}
			got = run(t, dir, "Stop", `{}`, "TIDEPOOL_HOOK_TIMEOUT=2s")
			if !strings.Contains(got.stderr, "the daemon hangs") {
				t.Errorf("the mark has not come in its place: %+v", got)
			}
			listener.Close()
			for _, path := range []string{victim, config} {
				if text, err := os.ReadFile(path); string(text) != "{}" {
					t.Errorf("%s is %q now, %v", filepath.Base(path), text, err)
				}
			}
		})
	}
}
