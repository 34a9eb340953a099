package doctor

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/daemon"
)

// socketOf checks the socket of a state directory with the daemon's own means.
func socketOf(t *testing.T, dir string) Socket {
	t.Helper()
	path := filepath.Join(dir, "control.sock")
	return Socket{
		Path: path,
		Holder: func() (int, bool, error) {
			owner, held, err := daemon.Find(daemon.LockPath(path))
			return owner.PID, held, err
		},
		Ping: func() error { return nil },
		Clean: func() error {
			d, err := daemon.Claim(t.Context(), daemon.Options{StateDir: dir})
			if err != nil {
				return err
			}
			return d.Close()
		},
	}
}

func claim(t *testing.T, dir string) *daemon.Daemon {
	t.Helper()
	d, err := daemon.Claim(t.Context(), daemon.Options{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestSocketOfADaemon(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	mkdir(t, dir, 0o700)
	c := socketOf(t, dir)
	wantFine(t, c, "lock", "free")
	wantFine(t, c, "socket", "none")

	claim(t, dir)
	wantFine(t, c, "lock", "held by the daemon, pid")
	wantFine(t, c, "socket", "the daemon answers")

	if err := os.Chmod(c.Path, 0o666); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "socket", "has mode 666", "chmod 600 "+c.Path)
	wantMended(t, c, "socket")

	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "socket", "other users may replace what is in "+dir, "chmod go-w "+dir)
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	wantFine(t, c, "socket", "the daemon answers")

	c.Ping = func() error { return errors.New("no answer in 2s") }
	wantProblem(t, c, "socket", "does not answer on "+c.Path+": no answer in 2s", "agent logs")
	if err := os.Remove(c.Path); err != nil {
		t.Fatal(err)
	}
	if f := wantProblem(t, c, "socket", "is gone", "controlserver stop"); f.Mend != nil {
		t.Error("a running daemon would be mended")
	}
}

func TestSocketOfNobody(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	mkdir(t, dir, 0o700)
	c := socketOf(t, dir)
	listener, err := net.Listen("unix", c.Path)
	if err != nil {
		t.Fatal(err)
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	listener.Close()
	wantProblem(t, c, "socket", "is left of a daemon that died", "remove it")
	wantMended(t, c, "socket")
	if exists(c.Path) {
		t.Error("the socket is still there")
	}

	write(t, c.Path, "dear diary", 0o600)
	if f := wantProblem(t, c, "socket", "is no socket", "TIDEPOOL_CONTROL_SOCKET"); f.Mend != nil {
		t.Error("a file would be removed")
	}
}

// Between looking and mending a daemon may have started: its socket is not taken away.
func TestSocketThatFoundAnOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	mkdir(t, dir, 0o700)
	c := socketOf(t, dir)
	claim(t, dir)
	var running *daemon.AlreadyRunning
	if err := c.Clean(); !errors.As(err, &running) || !exists(c.Path) {
		t.Errorf("cleaning gives %v", err)
	}
}

func TestLockThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	c := socketOf(t, dir)
	if err := os.Symlink("elsewhere", daemon.LockPath(c.Path)); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, c, "lock", "opening the lock: cannot use "+daemon.LockPath(c.Path)+": it is a symbolic link", "remove it")
}
