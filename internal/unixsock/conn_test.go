package unixsock

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// echoServer listens in dir and returns lines as they come. At the end of the
// stream it sends "end\n", so that a test sees a half-closed connection answered.
func echoServer(t testing.TB, dir string) (path string) {
	t.Helper()
	t.Chdir(dir) // the listener, too, would fail on a long path
	listener, err := net.Listen("unix", "echo.sock")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go echo(conn)
		}
	}()
	return filepath.Join(dir, "echo.sock")
}

func echo(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			_, _ = conn.Write([]byte("end\n"))
			return
		}
		if _, err := conn.Write(line); err != nil {
			return
		}
	}
}

func dialTest(t testing.TB, path string) *Conn {
	t.Helper()
	conn, err := Dial(path, time.Now().Add(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestRoundTripThenCloseWrite(t *testing.T) {
	conn := dialTest(t, echoServer(t, t.TempDir()))
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if err := conn.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil || string(got) != "hello\nend\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDialFindsUnusualPaths(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("a project with spaces and ü ", 6), strings.Repeat("b", 120))
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	path := echoServer(t, long) // and this is now the working directory
	for _, path := range []string{path, "echo.sock", "./" + strings.Repeat("./", 100) + "echo.sock"} {
		conn := dialTest(t, path)
		if _, err := io.WriteString(conn, "x\n"); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Rename("echo.sock", "@echo.sock"); err != nil {
		t.Fatal(err)
	}
	dialTest(t, "@echo.sock")
}

func TestDialFails(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "stale.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	long := filepath.Join(dir, strings.Repeat("d", 100))
	for _, test := range []struct {
		name, path string
		deadline   time.Time
		want       error
	}{
		{"nothing there", filepath.Join(dir, "none.sock"), time.Time{}, os.ErrNotExist},
		{"nobody listens", stale, time.Time{}, syscall.ECONNREFUSED},
		{"too late", stale, time.Now().Add(-time.Second), os.ErrDeadlineExceeded},
		{"no directory", filepath.Join(long, "x.sock"), time.Time{}, os.ErrNotExist},
		{"name too long", filepath.Join(dir, strings.Repeat("n", 120)), time.Time{}, syscall.ENAMETOOLONG},
		{"empty", "", time.Time{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Dial(test.path, test.deadline)
			var pathErr *os.PathError
			if !errors.As(err, &pathErr) || pathErr.Path != test.path {
				t.Fatalf("got %v", err)
			}
			if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// A listener whose backlog is full makes connect(2) wait.
func TestDialGivesUpOnAFullBacklog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full.sock")
	fd, err := newSocket()
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the first one or two fit
		conn, err := Dial(path, time.Now().Add(50*time.Millisecond))
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			return
		}
		defer conn.Close()
	}
	t.Error("a listener that accepts nobody took three connections")
}

func TestDeadlineEndsARead(t *testing.T) {
	path := echoServer(t, t.TempDir())
	conn, err := Dial(path, time.Now().Add(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "again\n"); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := io.ReadFull(conn, line); err != nil || string(line) != "again\n" {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestBlockingCalls(t *testing.T) {
	path := echoServer(t, t.TempDir())
	conn, err := DialBlocking(path, time.Now().Add(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := io.ReadFull(conn, line); err != nil || string(line) != "hello\n" {
		t.Errorf("got %q, %v", line, err)
	}
	if _, err := conn.Read(line); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading without an answer: %v", err)
	}
	if err := conn.SetDeadline(time.Time{}); !errors.Is(err, os.ErrNoDeadline) {
		t.Errorf("setting a deadline: %v", err)
	}
}

func TestCloseEndsAReadInAnotherGoroutine(t *testing.T) {
	conn := dialTest(t, echoServer(t, t.TempDir()))
	ended := make(chan error)
	go func() {
		_, err := conn.Read(make([]byte, 1))
		ended <- err
	}()
	conn.Close()
	if err := <-ended; !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestDescriptorsAreNotLeaked(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	missing := filepath.Join(t.TempDir(), strings.Repeat("d", 120))
	before := open()
	for range 50 {
		_, _ = Dial(missing+"/none.sock", time.Time{})
	}
	if after := open(); after > before+5 {
		t.Errorf("%d descriptors open, %d before", after, before)
	}
}

// The deadline is that of the whole exchange: a peer that sends or takes a little at a time does not stretch it.
func TestBlockingDeadlineAgainstSlowPeers(t *testing.T) {
	for name, test := range map[string]struct {
		peer, client func(io.ReadWriter) error
	}{
		"drips": {
			func(conn io.ReadWriter) error { _, err := conn.Write([]byte("x")); return err },
			func(conn io.ReadWriter) error { _, err := io.ReadFull(conn, make([]byte, 1<<20)); return err },
		},
		"sips": {
			func(conn io.ReadWriter) error { _, err := conn.Read(make([]byte, 4<<10)); return err },
			func(conn io.ReadWriter) error { _, err := conn.Write(make([]byte, 64<<20)); return err },
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			listener, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				conn, err := listener.Accept()
				for err == nil {
					err = test.peer(conn)
					time.Sleep(time.Millisecond) // a slow peer, not a wait for something
				}
			}()
			defer func() { listener.Close(); <-ended }()
			const limit = 200 * time.Millisecond
			start := time.Now()
			conn, err := DialBlocking(path, start.Add(limit))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := test.client(conn); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the exchange ended with %v", err)
			}
			if took := time.Since(start); took < limit || took > 20*limit {
				t.Errorf("it took %v of %v", took, limit)
			}
		})
	}
}
