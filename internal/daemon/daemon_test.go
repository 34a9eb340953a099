package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiftyStartersEndInOneOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	starters := make([]*process, 50)
	for i := range starters {
		starters[i] = start(t, dir)
	}
	owner := ""
	losers := map[string]int{}
	for _, p := range starters {
		switch who, pid, _ := strings.Cut(p.said(t), " "); {
		case who == "owner" && owner == "":
			owner = pid
		case who == "loser":
			losers[pid]++
		default:
			t.Errorf("a starter beside owner %q says %s %s", owner, who, pid)
		}
	}
	if len(losers) != 1 || losers[owner] != len(starters)-1 {
		t.Errorf("owner is %s, the losers name %v", owner, losers)
	}
	dial(t, dir)
}

func TestClaimAfterSIGKILL(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	first := start(t, dir)
	if said := first.said(t); said != fmt.Sprint("owner ", first.cmd.Process.Pid) {
		t.Fatalf("first says %q", said)
	}
	first.kill()
	if _, err := os.Lstat(filepath.Join(dir, "control.sock")); err != nil {
		t.Fatalf("no stale socket to start over: %v", err)
	}
	if owner, running, err := Find(filepath.Join(dir, "control.lock")); running || err != nil || owner.PID != 0 {
		t.Errorf("found %+v, %v, %v after the kill", owner, running, err)
	}
	claim(t, dir)
	dial(t, dir)
}

func TestClaimTwice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	claim(t, dir)
	_, err := Claim(t.Context(), Options{StateDir: dir})
	var running *AlreadyRunning
	if !errors.As(err, &running) || running.PID != os.Getpid() {
		t.Fatalf("second claim: %v, want already running with pid %d", err, os.Getpid())
	}
	dial(t, dir)
}

func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("ein langer Weg mit ü ", 8), "project", ".tidepool")
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	d := claim(t, dir)
	if got := d.Listener().Addr().String(); got != d.Socket() || len(got) < 150 {
		t.Errorf("the listener's address is %q, the socket %q", got, d.Socket())
	}
	// A client may come by a shorter way.
	short := filepath.Join(t.TempDir(), "s")
	if err := os.Symlink(dir, short); err != nil {
		t.Fatal(err)
	}
	dial(t, short)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(d.Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestSocketIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	for path, want := range map[string]os.FileMode{dir: 0o700, d.Socket(): 0o600, LockPath(d.Socket()): 0o600} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func TestSocketElsewhere(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "run", "other.sock")
	d, err := Claim(t.Context(), Options{StateDir: filepath.Join(t.TempDir(), ".tidepool"), Socket: socket})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, running, err := Find(filepath.Join(filepath.Dir(socket), "other.lock")); !running || err != nil {
		t.Errorf("the lock beside the socket: running %v, %v", running, err)
	}
}

func TestClaimKeepsWhatIsNoSocket(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(precious, []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Claim(t.Context(), Options{StateDir: filepath.Join(dir, ".tidepool"), Socket: precious})
	var refused *SocketError
	if !errors.As(err, &refused) || refused.Path != precious || !strings.Contains(refused.Hint(), "move it away") {
		t.Errorf("claim: %v", err)
	}
	if got, err := os.ReadFile(precious); string(got) != "years of work" {
		t.Errorf("the file is %q, %v", got, err)
	}
}

func TestCloseLeavesTheSocketOfAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	if err := os.Remove(d.Socket()); err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(d.Socket()); err != nil {
		t.Errorf("the other's socket is gone: %v", err)
	}
}

func TestCloseMakesRoom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	for range 2 {
		d, err := Claim(t.Context(), Options{StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// claim makes the test the daemon of dir until it ends; connections are answered with a greeting.
func claim(t *testing.T, dir string) *Daemon {
	t.Helper()
	d, err := Claim(t.Context(), Options{StateDir: dir, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return d
}

// dial fails the test unless somebody listens in dir.
func dial(t *testing.T, dir string) {
	t.Helper()
	conn, err := net.Dial("unix", filepath.Join(dir, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestListenerLetsTheOwnUserIn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	greet(t, d.Listener())
	conn, err := net.Dial("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if line, err := bufio.NewReader(conn).ReadString('\n'); line != "hello\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

// greet says hello to the first connection that l accepts, and closes it.
func greet(t *testing.T, l net.Listener) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("hello\n"))
		_ = conn.Close()
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
}
