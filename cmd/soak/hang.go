package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tidepool/protocol"
)

// briefly is what a hook may take beside a daemon that is known to hang.
const briefly = 250 * time.Millisecond

// outliveHang sends hooks, one after the other, to a daemon that was stopped in
// the middle of its life, and one more when it goes on.
func outliveHang(ctx context.Context, f *fixture, hooks int) (figures string, err error) {
	if err := f.start(ctx); err != nil {
		return "", err
	}
	status, err := f.settled()
	if err != nil {
		return "", err
	}
	if err := syscall.Kill(status.PID, syscall.SIGSTOP); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, syscall.Kill(status.PID, syscall.SIGCONT)) }()
	if err := f.awaitStopped(ctx); err != nil {
		return "", err
	}
	var first, longest time.Duration
	for i := range hooks {
		v, err := f.hook(ctx, f.named(protocol.PreToolUse), closed)
		if err != nil {
			return "", err
		}
		if v.answered {
			return "", fmt.Errorf("hook %d is answered by a stopped daemon", i)
		}
		if i == 0 {
			first = v.took
		} else {
			longest = max(longest, v.took)
		}
	}
	records, err := os.ReadFile(filepath.Join(f.project, protocol.StateDir, protocol.FailuresName))
	if n := bytes.Count(records, []byte("\n")); err != nil || n != hooks {
		return "", fmt.Errorf("%d records of %d hooks, %w", n, hooks, err)
	}
	if err := syscall.Kill(status.PID, syscall.SIGCONT); err != nil {
		return "", err
	}
	again, err := f.hook(ctx, f.named(protocol.PreToolUse), closed)
	if err != nil {
		return "", err
	}
	figures = fmt.Sprintf("all refused: one after %.1f s, the others after %v at the most; once it goes on one is answered after %v",
		first.Seconds(), longest.Round(time.Millisecond), again.took.Round(time.Millisecond))
	if longest > briefly+slack || !again.answered {
		return "", errors.New(figures)
	}
	return figures, nil
}

// awaitStopped waits until the daemon answers no ping: it goes on for a moment after
// the signal that stops it was sent.
func (f *fixture) awaitStopped(ctx context.Context) error {
	return f.eventually("the daemon has stopped", func() (string, bool) {
		err := f.program(ctx, "agent", "health", "--timeout", "500ms").Run()
		return "it answers", err != nil
	})
}

// A crowd is what keepPolicy sends hooks beside.
const (
	silent  = 2100 // connections; every other one has sent half a line
	editors = 8    // threads
)

// keepPolicy sends hooks about a command that a rule forbids, while clients of
// the same user do what they can to keep the daemon from them.
func keepPolicy(ctx context.Context, f *fixture, hooks int) (string, error) {
	rule := []byte(`{"policy": [{"decision": "deny", "tool": "Bash", "pattern": "rm -rf", "reason": "forbidden by the soak"}]}`)
	if err := os.WriteFile(filepath.Join(f.project, protocol.StateDir, "config.json"), rule, 0o600); err != nil {
		return "", err
	}
	if err := f.start(ctx); err != nil {
		return "", err
	}
	crowd, err := f.gather(silent, editors)
	if err != nil {
		return "", err
	}
	defer crowd.leave()
	forbidden := event{protocol.PreToolUse, []byte(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`)}
	var t totals
	for range hooks {
		v, err := f.hook(ctx, forbidden, open)
		if err != nil {
			return "", err
		}
		t.note(v)
		if !v.answered || !strings.Contains(v.stdout, "forbidden by the soak") {
			return "", fmt.Errorf("after %v, beside %d edits, a hook gets %+v", &t, crowd.edits.Load(), v)
		}
	}
	return fmt.Sprintf("%d hooks, all refused by the rule, the longest after %v, beside %d edits",
		hooks, time.Duration(t.longest.Load()).Round(time.Millisecond), crowd.edits.Load()), nil
}
