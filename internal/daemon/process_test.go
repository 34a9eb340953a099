package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"tidepool/internal/state"
)

// childDir makes the test binary a daemon of that state directory; childIgnores makes it one that ignores TERM, and
// childPauses one that waits for a line of input between its lock and its socket.
const (
	childDir     = "TIDEPOOL_TEST_DAEMON_DIR"
	childIgnores = "TIDEPOOL_TEST_DAEMON_IGNORES_TERM"
	childPauses  = "TIDEPOOL_TEST_DAEMON_PAUSES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	goleak.VerifyTestMain(m)
}

// child claims dir, says how that ended, and stays until TERM or the end of its input.
func child(dir string) int {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	if os.Getenv(childIgnores) != "" {
		signal.Ignore(syscall.SIGTERM)
	}
	claim := func() (*Daemon, error) { return Claim(context.Background(), Options{StateDir: dir, Version: "child"}) }
	if os.Getenv(childPauses) != "" {
		claim = func() (*Daemon, error) { return claimInSteps(dir) }
	}
	d, err := claim()
	var running *AlreadyRunning
	switch {
	case errors.As(err, &running):
		fmt.Println("loser", running.PID)
	case err != nil:
		fmt.Println("error", err)
	default:
		fmt.Println("owner", os.Getpid())
	}
	eof := make(chan struct{})
	go func() {
		defer close(eof)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-term:
	case <-eof:
	}
	if d != nil && d.Close() != nil {
		return 1
	}
	return 0
}

func claimInSteps(dir string) (*Daemon, error) {
	socket := filepath.Join(dir, "control.sock")
	lock, err := acquire(context.Background(), LockPath(socket))
	if err != nil {
		return nil, err
	}
	fmt.Println("holding")
	if _, err := os.Stdin.Read(make([]byte, 100)); err != nil {
		return nil, err
	}
	home, err := state.Around(socket)
	if err != nil {
		return nil, err
	}
	d := &Daemon{lock: lock, socket: socket, home: home}
	return d, d.open("child")
}

// A process is a child that the test started.
type process struct {
	dir   string // of its state
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

func start(t *testing.T, dir string, env ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), childDir+"="+dir, "GORACE=atexit_sleep_ms=0"), env...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{dir, cmd, stdin, bufio.NewReader(stdout)}
	t.Cleanup(p.end)
	return p
}

// said is what the child said about its claim.
func (p *process) said(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("child ended without a word: %v", err)
	}
	return strings.TrimSpace(line)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

func (p *process) end() {
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
}
