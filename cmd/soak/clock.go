package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// idleTime is after how long the daemon of jumpClock leaves; it measures that
// in sixteenths.
const idleTime = 2 * time.Second

// jumpClock runs both programs with a wall clock that jumps a day forth and back
// every 10 ms, as no machine's does: what they measure must not notice.
func jumpClock(ctx context.Context, f *fixture, hooks int) (string, error) {
	if err := f.buildJumping(ctx); err != nil {
		return "", err
	}
	f.env = append(f.env, "TIDEPOOL_SERVER_IDLE_TIMEOUT="+idleTime.String())
	if err := f.start(ctx); err != nil {
		return "", err
	}
	var t totals
	for i := range hooks {
		v, err := f.hook(ctx, f.events[i%len(f.events)], closed)
		if err == nil && !v.answered {
			err = fmt.Errorf("hook %d got no answer", i)
		}
		if err != nil {
			return "", err
		}
		t.note(v)
	}
	status, err := f.status()
	if err != nil {
		return "", err
	}
	if jumps := spread(status.RecentHooks); jumps < 23*time.Hour {
		return "", fmt.Errorf("the clock does not jump: the last hooks came within %v", jumps)
	}
	idle, err := f.leavesIdle()
	return fmt.Sprintf("%v; the daemon leaves after %v of %v", &t, idle.Round(10*time.Millisecond), idleTime), err
}

// buildJumping puts both programs in place, linked with another time.Now.
func (f *fixture) buildJumping(ctx context.Context) error {
	overlay, err := f.overlay(ctx)
	if err != nil {
		return err
	}
	list := exec.CommandContext(ctx, "go", "list", "-trimpath", "-overlay", overlay, "-export", "-f", "{{.Export}}", "time")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	archive, err := list.Output()
	if err != nil {
		return fmt.Errorf("compiling the package time: %w", err)
	}
	linker := filepath.Join(f.dir, "link")
	if err := os.WriteFile(linker, fmt.Appendf(nil, linkWith, strings.TrimSpace(string(archive))), 0o700); err != nil {
		return err
	}
	for _, program := range []string{"agent", "controlserver"} { // go build leaves alone what it finds up to date
		if err := os.Remove(filepath.Join(f.bin, program)); err != nil {
			return err
		}
	}
	return daemontest.Build(f.bin, "-toolexec", linker)
}

// linkWith is a shell script for -toolexec. It replaces the archive of the package time in what the linker reads. go build -overlay would
// compile all packages again, which takes minutes.
const linkWith = `#!/bin/sh
set -e
case "$1" in
*/link)
	for arg; do
		if [ "$before" = -importcfg ]; then
			sed 's|^packagefile time=.*|packagefile time=%s|' "$arg" >"$arg.jumping"
			mv "$arg.jumping" "$arg"
		fi
		before=$arg
	done
	;;
esac
exec "$@"
`

// overlay writes the file that the compiler takes instead of the standard library's. Its lines are the same, and so is what the package
// exports, which the linker compares.
func (f *fixture) overlay(ctx context.Context) (path string, err error) {
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	original := filepath.Join(strings.TrimSpace(string(goroot)), "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	const now = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()"
	before, after, found := strings.Cut(string(source), now+"\n")
	if !found {
		return "", fmt.Errorf("%s has another Now than %q: mend overlay", original, now)
	}
	changed := filepath.Join(f.dir, "time.go")
	jump := "; sec += (mono/10_000_000%3 - 1) * 86_400\n"
	if err := os.WriteFile(changed, []byte(before+now+jump+after), 0o600); err != nil {
		return "", err
	}
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(f.dir, "overlay.json")
	return path, os.WriteFile(path, table, 0o600)
}

// spread returns how far apart by the daemon's clock the events came.
func spread(outcomes []protocol.HookOutcome) time.Duration {
	var first, last time.Time
	for _, o := range outcomes {
		at, err := time.Parse(time.RFC3339, o.Time)
		if err != nil {
			return 0
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	return last.Sub(first)
}

// leavesIdle returns how long the daemon stays when nobody needs it.
func (f *fixture) leavesIdle() (time.Duration, error) {
	start := time.Now()
	err := f.eventually("the daemon has left", func() (string, bool) {
		pid, err := daemontest.Owner(f.project)
		return fmt.Sprintf("pid %d is there, %v", pid, err), err == nil && pid == 0
	})
	took := time.Since(start)
	if err == nil && (took < idleTime*3/4 || took > idleTime*3) { // a look every sixteenth, and language servers to end
		err = fmt.Errorf("the daemon has left after %v, not %v", took, idleTime)
	}
	return took, err
}
