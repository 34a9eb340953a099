package e2e

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/http2"

	"tidepool/protocol"
)

// Another user gets nothing of a daemon, and a daemon nothing of another user,
// even where modes would let them. Only root can be two users.
func TestForeignUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("only root can start programs as another user: run the tests as root, as CI does")
	}
	dir := foreignDir(t)
	must(t, errors.Join(os.Chown(dir, 0, 0), os.Chmod(dir, 0o755)))
	p := newPlace(t, dir)
	p.agent(t, "", "hook", "session-start").passes(t, "")
	socket := filepath.Join(p.state, protocol.SocketName)
	must(t, errors.Join(os.Chmod(p.state, 0o777), os.Chmod(socket, 0o666)))

	stranger := p
	stranger.uid = foreigner()
	stranger.agent(t, "", "hook", "pre-tool-use").passes(t, "passed unchecked")
	stranger.agent(t, "closed", "hook", "pre-tool-use").refuses(t)
	if got := stranger.agent(t, "", "health"); got.status != 1 {
		t.Errorf("agent health of another user: %+v", got)
	}
	if got := stranger.run(t, "", "controlserver", "serve"); got.status != 1 || !strings.Contains(got.stderr, "belongs to user 0") {
		t.Errorf("a daemon of another user: %+v", got)
	}
	if got := stranger.run(t, "", "controlserver", "upgrade", "/none.tar.gz"); got.status != 1 || !strings.Contains(got.stderr, "cannot be written to") || !strings.Contains(got.stderr, "hint: run it as the user who owns the directory") {
		t.Errorf("another user's upgrade: %+v", got)
	}
	for sent, want := range map[string]string{
		`{"type":"Ping"}` + "\n":                                     "Pong",
		"GET /health HTTP/1.1\r\nHost: x\r\n\r\n":                    "200 OK",
		http2.ClientPreface + "\x00\x00\x00\x04\x00\x00\x00\x00\x00": "\x04\x00", // SETTINGS, as gRPC begins
	} {
		if reply, err := askAs(foreigner(), socket, sent); reply != "" {
			t.Errorf("%q: a client of another user got %q, %v", sent, reply, err)
		}
		if reply, err := askAs(0, socket, sent); !strings.Contains(reply, want) {
			t.Errorf("%q: a client of this user got %q, %v", sent, reply, err)
		}
	}
}

// A daemon that another user has put where this one's should be is asked nothing.
func TestForeignDaemon(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("only root can start programs as another user: run the tests as root, as CI does")
	}
	theirs := newPlace(t, foreignDir(t))
	theirs.uid = foreigner()
	theirs.agent(t, "", "hook", "session-start").passes(t, "")
	t.Cleanup(func() { theirs.run(t, "", "controlserver", "stop") })
	ours := theirs
	ours.uid = 0
	ours.agent(t, "", "hook", "session-start").passes(t, "another user")
	ours.agent(t, "", "hook", "pre-tool-use").passes(t, "another user")
	ours.agent(t, "closed", "hook", "pre-tool-use").refuses(t)
	if got := ours.run(t, "", "controlserver", "serve"); got.status != 1 || !strings.Contains(got.stderr, "belongs to user 65534") {
		t.Errorf("a daemon in a foreign directory: %+v", got)
	}
	if n := theirs.status(t).Hooks["PreToolUse"]; n != 0 {
		t.Errorf("their daemon has seen %d of our hooks", n)
	}
}

// askAs sends a text from a thread that belongs to another user, and ends with
// what it is for.
func askAs(uid int, socket, line string) (reply string, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: nobody else may run on this thread
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
			err = errno
			return
		}
		reply, err = ask(socket, line)
	}()
	<-done
	return reply, err
}

// ask returns the beginning of the answer.
func ask(socket, line string) (string, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(line)); err != nil {
		return "", err
	}
	reply := make([]byte, 1024)
	n, err := conn.Read(reply)
	return string(reply[:n]), err
}

// Settings that another user has written are not taken, and the daemon says
// whose they are instead of doing without.
func TestForeignSettings(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("only root can give a file away: run the tests as root, as CI does")
	}
	p := newPlace(t, t.TempDir())
	settings := filepath.Join(p.state, "config.json")
	must(t, os.WriteFile(settings, []byte(`{"log": {"level": "debug"}}`), 0o600))
	must(t, os.Chown(settings, foreigner(), -1))
	p.agent(t, "", "hook", "session-start").passes(t, "belongs to user 65534")
	if got := p.run(t, "", "controlserver", "serve"); got.status != 1 ||
		!strings.Contains(got.stderr, "belongs to user 65534") || !strings.Contains(got.stderr, "hint: ") {
		t.Errorf("the daemon: %+v", got)
	}
	must(t, os.Chown(settings, 0, -1))
	p.agent(t, "", "hook", "session-start").passes(t, "")
}
