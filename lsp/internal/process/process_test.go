package process

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestLadder ends programs of different obstinacy and looks which step did it. The step that is to do it has
// all the time that a busy machine may need.
func TestLadder(t *testing.T) {
	const short, long = 50 * time.Millisecond, time.Minute
	loop := "while :; do sleep 0.05; done"
	tests := []struct {
		name, setup, script, want string
		steps                     StopTimeouts
	}{
		{"at goodbye", "", "read line; exit 7", "exit status 7", StopTimeouts{Exit: long}},
		{"at the end of its input", "", "while read line; do :; done; exit 8", "exit status 8", StopTimeouts{Exit: short, Stdin: long}},
		{"at SIGTERM", "trap 'exit 9' TERM", loop, "exit status 9", StopTimeouts{Exit: short, Stdin: short, Term: long}},
		{"at SIGKILL", "trap '' TERM", loop, "signal: killed", StopTimeouts{Exit: short, Stdin: short, Term: short}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := launchScript(t, test.setup, test.script)
			start := time.Now()
			p.End(t.Context(), test.steps, func() { io.WriteString(p.in, "goodbye\n") })
			if took := time.Since(start); p.Cause() != test.want || took > long {
				t.Errorf("%s after %v, want %s", p.Cause(), took, test.want)
			}
		})
	}
}

// launchScript runs a shell script and returns when its setup is done.
func launchScript(t *testing.T, setup, script string) *Process {
	t.Helper()
	p, err := Launch(Program{Path: "/bin/sh", Args: []string{"-c", setup + "\necho ready\n" + script + "\n"}, Dir: t.TempDir()}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	if line, err := bufio.NewReader(p.out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return p
}

func TestLadderInAHurry(t *testing.T) {
	p := launchScript(t, "trap '' TERM", "while :; do sleep 0.05; done")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.End(ctx, StopTimeouts{Exit: time.Hour, Stdin: time.Hour, Term: time.Hour}, func() {})
	if p.Cause() != "signal: killed" {
		t.Errorf("ended by %s", p.Cause())
	}
}

// TestGroup leaves a grandchild behind that ignores everything but SIGKILL. It holds a pipe open, whose end
// shows its own.
func TestGroup(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := launchScript(t, "", "(trap '' TERM; echo started; while :; do sleep 0.05; done) >'"+fifo+"' & read line; exit 0")
	alive, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	out := bufio.NewReader(alive)
	if line, err := out.ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("%q, %v", line, err)
	}
	p.in.Close()
	<-p.exited
	if _, err := out.ReadString('\n'); err != io.EOF {
		t.Errorf("reading from the grandchild: %v", err)
	}
}

// TestThreadEnds launches from a thread that ends at once: the program must not take that for our death.
func TestThreadEnds(t *testing.T) {
	launched := make(chan *Process)
	go func() {
		runtime.LockOSThread() // a goroutine that ends locked takes its thread with it
		p, err := Launch(Program{Path: "/bin/cat", Dir: t.TempDir()}, io.Discard)
		if err != nil {
			t.Error(err)
		}
		launched <- p
	}()
	p := <-launched
	t.Cleanup(p.Kill)
	out := bufio.NewReader(p.out)
	for range 100 {
		done := make(chan struct{})
		go func() { runtime.LockOSThread(); close(done) }()
		<-done
		io.WriteString(p.in, "still there\n")
		if line, err := out.ReadString('\n'); err != nil || line != "still there\n" {
			t.Fatalf("%q, %v", line, err)
		}
	}
}

func TestLaunchFails(t *testing.T) {
	if _, err := Launch(Program{Path: "/nonexistent/program", Dir: t.TempDir()}, io.Discard); err == nil {
		t.Error("no error")
	}
}

func TestTail(t *testing.T) {
	var last tail
	for i := range 10_000 {
		io.WriteString(&last, "line "+strconv.Itoa(i)+"\n\n")
	}
	lines := last.lines()
	if len(lines) != tailLines || lines[tailLines-1] != "line 9999" {
		t.Errorf("%q", lines)
	}
}
