package launch

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// The test binary is both programs: `spawn` of agent, and a daemon that does what the file of this name in the state
// directory says. A variable would not reach it: a daemon gets only those that it is known to need.
const daemonMode = "mode"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "spawn":
			os.Exit(Spawn(os.Args[2:], os.Stderr))
		case "serve":
			os.Exit(serve(os.Args[len(os.Args)-1]))
		}
	}
	os.Exit(m.Run())
}

// serve is a daemon of that project, until its socket is gone.
func serve(project string) int {
	state := filepath.Join(project, protocol.StateDir)
	mode, _ := os.ReadFile(filepath.Join(state, daemonMode)) // without, it serves
	switch string(mode) {
	case "mute":
		return 1
	case "wrong":
		fmt.Fprintln(os.Stderr, "noise\nerror: the settings are wrong\nhint: mend them")
		return 1
	case "panic":
		fmt.Fprintln(os.Stderr, "panic: oh\n\ngoroutine 1")
		return 2
	}
	count, err := os.OpenFile(filepath.Join(state, "starts"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 3
	}
	fmt.Fprintln(count, os.Getpid(), os.Getppid())
	socket := filepath.Join(state, protocol.SocketName)
	listener, err := net.Listen("unix", socket)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 4
	}
	if syscall.Flock(2, syscall.LOCK_UN) != nil {
		return 5
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = protocol.NewReader(conn).ReadLine()
			_, _ = conn.Write(protocol.AppendResponse(nil, &protocol.Attached{}))
			conn.Close()
		}
	}()
	for { // until the test removes its directory
		if _, err := os.Stat(socket); err != nil {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// launcher starts the test binary.
func launcher(t *testing.T) *Launcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Launcher{Program: self, Agent: self, Environ: []string{"GORACE=atexit_sleep_ms=0"}}
}

// failing makes a project whose daemon fails in that mode.
func failing(t *testing.T, mode string) (dir string) {
	t.Helper()
	dir = peertest.Project(t)
	if err := os.WriteFile(filepath.Join(dir, protocol.StateDir, daemonMode), []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func placeOf(dir string) protocol.Place {
	return protocol.Locate(func(string) string { return "" }, dir)
}

func soon() time.Time { return time.Now().Add(20 * time.Second) }

// starts returns a line for each daemon that was started in dir.
func starts(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, protocol.StateDir, "starts"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func TestFiftyStartersStartOneDaemon(t *testing.T) {
	dir := peertest.Project(t)
	l := launcher(t)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if err := l.Start(placeOf(dir), soon()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	lines := starts(t, dir)
	if len(lines) != 1 {
		t.Errorf("%d daemons were started", len(lines))
	}
	if parent := strings.Fields(lines[0])[1]; parent == fmt.Sprint(os.Getpid()) {
		t.Errorf("the daemon is a child of the process that needed it")
	}
	if err := new(Launcher).Join(placeOf(dir), soon()); err != nil {
		t.Errorf("joining it: %v", err)
	}
}

func TestStartThatFails(t *testing.T) {
	for _, test := range []struct{ mode, reason, hint string }{
		{"mute", "without a word", "see "},
		{"wrong", "the daemon did not start: the settings are wrong", "mend them ("},
		{"panic", "the daemon did not start: panic: oh", "see "},
	} {
		dir := failing(t, test.mode)
		for range 2 { // the second finds the words of the first in the log
			err := launcher(t).Start(placeOf(dir), soon())
			var failed *Error
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), test.reason) || !strings.Contains(failed.Hint(), test.hint) ||
				!strings.Contains(failed.Hint(), filepath.Join(dir, protocol.StateDir, LogName)) {
				t.Errorf("%s: %v", test.mode, err)
			}
		}
	}
}

func TestNothingToStart(t *testing.T) {
	dir := peertest.Project(t)
	l := launcher(t)
	l.Program = ""
	if err := l.Start(placeOf(dir), soon()); err == nil || !strings.Contains(err.Error(), "there is no controlserver beside agent") {
		t.Errorf("got %v", err)
	}
	l.Program = filepath.Join(dir, "nothing")
	if err := l.Start(placeOf(dir), soon()); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
	l.Off = true
	for name, err := range map[string]error{
		"off":        l.Start(placeOf(dir), soon()),
		"off, renew": l.Renew(placeOf(dir), soon()),
		"join":       launcher(t).Join(placeOf(peertest.Project(t)), soon()),
		"no project": launcher(t).Start(placeOf(t.TempDir()), soon()),
	} {
		if !errors.Is(err, ErrNobody) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whoever finds that a daemon is being started waits for that.
func TestJoin(t *testing.T) {
	dir := peertest.Project(t)
	log, err := openLog(placeOf(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := lock(log); !free || err != nil {
		t.Fatal(free, err)
	}
	var late *Error
	if err := new(Launcher).Join(placeOf(dir), time.Now().Add(20*time.Millisecond)); !errors.As(err, &late) || !strings.Contains(err.Error(), "being started") {
		t.Errorf("got %v", err)
	}
	joined := make(chan error)
	go func() { joined <- new(Launcher).Join(placeOf(dir), soon()) }()
	peertest.Start(t, dir, func(c *peertest.Conn, _ protocol.Request) { c.Reply(&protocol.Attached{}) })
	if err := <-joined; err != nil {
		t.Error(err)
	}
	log.Close()
}

func TestRenew(t *testing.T) {
	for name, leaves := range map[string]bool{"same build": false, "another build": true} {
		t.Run(name, func(t *testing.T) {
			dir := peertest.Project(t)
			l := launcher(t)
			var once sync.Once
			var peer *peertest.Peer
			left := make(chan struct{})
			peer = peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
				if build := r.(*protocol.Attach).Build; build != protocol.Build(l.Program) {
					t.Errorf("asked by build %q", build)
				}
				if !leaves {
					c.Reply(&protocol.Attached{})
					return
				}
				once.Do(func() {
					os.Remove(placeOf(dir).Socket)
					c.Reply(&protocol.Attached{Leaving: true})
					close(left)
				})
			})
			if err := l.Renew(placeOf(dir), soon()); err != nil {
				t.Fatal(err)
			}
			if leaves {
				<-left
				if len(starts(t, dir)) != 1 {
					t.Error("no daemon was started")
				}
				return
			}
			if _, err := os.Stat(filepath.Join(dir, protocol.StateDir, "starts")); err == nil {
				t.Error("a daemon was started")
			}
			peer.Stop()
		})
	}
}

// What came with a clone must not make this process write elsewhere.
func TestStateDirectoryOfAStranger(t *testing.T) {
	for name, plant := range map[string]func(state, outside string) error{
		"the directory is a link": func(state, outside string) error { return os.Symlink(outside, state) },
		"logs is a link": func(state, outside string) error {
			return errors.Join(os.Mkdir(state, 0o700), os.Symlink(outside, filepath.Join(state, "logs")))
		},
		"the log is a link": func(state, outside string) error {
			return errors.Join(os.MkdirAll(filepath.Join(state, "logs"), 0o700),
				os.Symlink(filepath.Join(outside, "start.log"), filepath.Join(state, LogName)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			if err := plant(filepath.Join(dir, protocol.StateDir), outside); err != nil {
				t.Fatal(err)
			}
			if err := launcher(t).Start(placeOf(dir), soon()); err == nil {
				t.Error("a daemon was started")
			}
			entries, err := os.ReadDir(outside)
			if err != nil || len(entries) > 0 {
				t.Errorf("outside are %v, %v", entries, err)
			}
		})
	}
}

// Only root can give a directory away.
func TestStateDirectoryOfAnotherUser(t *testing.T) {
	place := protocol.Place{Project: t.TempDir()}
	state := filepath.Join(place.Project, protocol.StateDir)
	if err := os.Mkdir(state, 0o777); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Chown(state, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if err := launcher(t).Start(place, soon()); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("got %v", err)
	}
}

func TestLogDoesNotGrowForEver(t *testing.T) {
	dir := failing(t, "wrong")
	log, err := openLog(placeOf(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := log.Truncate(maxLog); err != nil {
		t.Fatal(err)
	}
	if err := launcher(t).Start(placeOf(dir), soon()); err == nil || !strings.Contains(err.Error(), "the settings are wrong") {
		t.Errorf("got %v", err)
	}
	if info, err := log.Stat(); err != nil || info.Size() > 100 {
		t.Errorf("the log is %v, %v", info, err)
	}
}
