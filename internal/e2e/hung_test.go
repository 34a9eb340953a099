package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// runHook runs the real agent in a project, as a client does.
func runHook(t *testing.T, dir string, event protocol.Event, input, mode string) ending {
	t.Helper()
	p := project{dir: dir, env: append(os.Environ(), "TIDEPOOL_FAIL_MODE="+mode, "TIDEPOOL_PROJECT_DIR="+dir)}
	cmd := p.command(context.Background(), "agent", "hook", event.Kebab())
	cmd.Stdin = strings.NewReader(input)
	return end(t, cmd)
}

// startedDaemon starts a daemon as a session's first hook does, and returns its pid.
func startedDaemon(t *testing.T, dir string) int {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, protocol.StateDir), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := runHook(t, dir, protocol.SessionStart, `{"hook_event_name":"SessionStart","source":"startup"}`, "open"); got.stderr != "" {
		t.Fatalf("the first hook: %+v", got)
	}
	pid, err := daemontest.Owner(dir)
	if err != nil || pid == 0 {
		t.Fatalf("pid %d has the lock, %v", pid, err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(pid, syscall.SIGCONT)
		end(t, project{dir: dir}.command(context.Background(), "controlserver", "stop", "--project", dir))
	})
	return pid
}

// lateness is how much longer than it should waiting takes, with an agent that says its version: that much a busy machine adds to a
// hook that waits as long beside it.
func lateness(wait time.Duration) time.Duration {
	start := time.Now()
	_ = exec.Command("sleep", fmt.Sprintf("%.3f", wait.Seconds())).Run()
	_ = project{}.command(context.Background(), "agent", "--version").Run()
	return time.Since(start) - wait
}

// A daemon stopped by SIGSTOP takes connections and answers none. Each kind of hook ends in time, as its mode says;
// those after the first cost no long wait; the first after the daemon goes on is answered again.
func TestStoppedDaemon(t *testing.T) {
	events := []protocol.Event{
		protocol.SessionStart, protocol.PreToolUse, protocol.PostToolUse, protocol.Stop, protocol.UserPromptSubmit, protocol.SessionEnd,
	}
	inputOf := func(event protocol.Event) string {
		return `{"session_id":"s","hook_event_name":"` + string(event) + `","tool_name":"Bash","tool_input":{"command":"true"}}`
	}
	project := t.TempDir()
	pid := startedDaemon(t, project)
	if err := daemontest.Halt(pid); err != nil {
		t.Fatal(err)
	}
	var hooks sync.WaitGroup
	for _, event := range events {
		for _, mode := range []string{"open", "closed"} {
			hooks.Go(func() {
				times := protocol.TimeOf(event)
				late := make(chan time.Duration, 1)
				go func() { late <- lateness(times.Limit) }()
				got := runHook(t, project, event, inputOf(event), mode)
				if got.took-<-late > (times.Limit+times.Timeout)/2 {
					t.Errorf("%s, %s: it took %v of the client's %v", event, mode, got.took, times.Timeout)
				}
				refused := got.status == 2 || strings.Contains(got.stdout, `"deny"`) || strings.Contains(got.stdout, `"block"`)
				if refused != (mode == "closed") || !strings.Contains(got.stderr, "did not answer in time") {
					t.Errorf("%s, %s: %+v", event, mode, got)
				}
			})
		}
	}
	hooks.Wait()
	for range 9 {
		got := runHook(t, project, protocol.PreToolUse, inputOf(protocol.PreToolUse), "closed")
		if got.took > 4*time.Second || !strings.Contains(got.stderr, "the daemon hangs") || !strings.Contains(got.stdout, `"deny"`) {
			t.Errorf("a hook after the first ones: %+v", got)
		}
	}
	records, err := os.ReadFile(filepath.Join(project, protocol.StateDir, protocol.FailuresName))
	if n := bytes.Count(records, []byte("\n")); err != nil || n != 2*len(events)+9 {
		t.Errorf("%d records of %d hooks, %v", n, 2*len(events)+9, err)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for giveUp := time.Now().Add(20 * time.Second); ; {
		got := runHook(t, project, protocol.PreToolUse, inputOf(protocol.PreToolUse), "closed")
		if got.status == 0 && got.stdout == "" && got.stderr == "" {
			return
		}
		if time.Now().After(giveUp) {
			log, _ := os.ReadFile(filepath.Join(project, protocol.StateDir, "logs", "controlserver.log")) // if there is one
			t.Fatalf("the daemon goes on, and a hook still ends as %+v; its log says\n%s", got, log)
		}
	}
}
