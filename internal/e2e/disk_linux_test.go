package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tidepool/internal/mounttest"
)

// A full disk takes nothing from a user but tidepool itself, and whoever asks
// is told. The limit on the size of files is an error of the same kind that
// every user can have; a disk of its own needs a namespace to mount it in.
func TestFullDisk(t *testing.T) {
	t.Run("limit on the size of files", func(t *testing.T) {
		p := newPlace(t, t.TempDir())
		before := []string{"sh", "-c", `ulimit -f 0 && exec "$@"`, "sh"}
		outliveFullDisk(t, p, "file too large", "ulimit -f", before, func(full bool) {
			limit := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
			if full {
				limit.Cur = 0
			}
			if pid := p.status(t).PID; pid > 0 {
				must(t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil))
			}
		})
	})
	t.Run("file system without space", func(t *testing.T) {
		if !mounttest.Allowed(t) {
			return
		}
		dir := t.TempDir()
		mounttest.Mount(t, "tmpfs", dir, "tmpfs", 0, "size=64k,mode=700")
		p := newPlace(t, dir)
		ballast := filepath.Join(dir, "ballast")
		fill := func(full bool) {
			if !full {
				must(t, os.Remove(ballast))
			} else if err := os.WriteFile(ballast, make([]byte, 128<<10), 0o600); err == nil {
				t.Fatal("the disk does not get full")
			}
		}
		fill(true)
		outliveFullDisk(t, p, "no space left on device", "free some space", nil, fill)
	})
}

// outliveFullDisk begins without a daemon on a disk that is full for programs
// that before is put before; fill makes it so for the daemon that comes later.
func outliveFullDisk(t *testing.T, p place, why, hint string, before []string, fill func(full bool)) {
	t.Helper()
	p.before = before
	p.agent(t, "", "hook", "session-start").passes(t, why)
	p.agent(t, "closed", "hook", "pre-tool-use").refuses(t)
	if got := p.run(t, "", "controlserver", "serve"); got.status != 1 || !strings.Contains(got.stderr, why) || !strings.Contains(got.stderr, hint) {
		t.Errorf("the daemon ends with %d and says %s", got.status, got.stderr)
	}
	if data, err := os.ReadFile(filepath.Join(p.state, ".gitignore")); err == nil && len(data) == 0 {
		t.Error(".gitignore is left empty, and would stay so")
	}

	p.before = nil
	if before == nil {
		fill(false)
	}
	p.agent(t, "", "hook", "session-start").passes(t, "")
	fill(true)
	for range 100 { // each is a record of the log, which may have room for some
		p.agent(t, "closed", "hook", "stop").passes(t, "")
	}
	if problems := p.status(t).Problems; len(problems) != 1 || !strings.Contains(problems[0], why) {
		t.Errorf("the status tells of %q", problems)
	}
	if got := p.agent(t, "", "status"); !strings.Contains(got.stdout, "PROBLEM       the log cannot be written") {
		t.Errorf("a person reads %s", got.stdout)
	}
	fill(false)
	p.agent(t, "closed", "hook", "stop").passes(t, "")
	if problems := p.status(t).Problems; problems != nil {
		t.Errorf("with space again the status tells of %q", problems)
	}
}

// A state directory that cannot be written leaves hooks as they would be
// without tidepool, and says so. What forbids it to root is a file system.
func TestReadOnlyStateDirectory(t *testing.T) {
	t.Run("mode", func(t *testing.T) {
		p := newPlace(t, foreignDir(t))
		p.uid = foreigner()
		must(t, os.Chmod(p.state, 0o500))
		outliveReadOnly(t, p, "permission denied")
	})
	t.Run("file system", func(t *testing.T) {
		if !mounttest.Allowed(t) {
			return
		}
		p := newPlace(t, t.TempDir())
		mounttest.Mount(t, p.state, p.state, "", unix.MS_BIND, "")
		mounttest.Mount(t, p.state, p.state, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
		outliveReadOnly(t, p, "read-only file system")
	})
}

func outliveReadOnly(t *testing.T, p place, why string) {
	t.Helper()
	p.agent(t, "", "hook", "session-start").passes(t, why)
	p.agent(t, "", "hook", "pre-tool-use").passes(t, "no daemon answers")
	p.agent(t, "closed", "hook", "pre-tool-use").refuses(t)
	if got := p.run(t, "", "controlserver", "serve"); got.status != 1 || !strings.Contains(got.stderr, why) || !strings.Contains(got.stderr, "hint: ") {
		t.Errorf("the daemon ends with %d and says %s", got.status, got.stderr)
	}
	if got := p.agent(t, "", "doctor"); got.status != 1 || !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), why) {
		t.Errorf("agent doctor ends with %d and says %s", got.status, got.stdout)
	}
}
