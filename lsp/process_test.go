package lsp

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
)

// TestLadder ends programs of different obstinacy and looks which step did it.
func TestLadder(t *testing.T) {
	steps := ladder{exit: 50 * time.Millisecond, stdin: 50 * time.Millisecond, term: 100 * time.Millisecond}
	tests := []struct {
		name, script, want string
		least              time.Duration
	}{
		{"at goodbye", "read line; exit 7", "exit status 7", 0},
		{"at the end of its input", "while read line; do :; done; exit 8", "exit status 8", 50 * time.Millisecond},
		{"at SIGTERM", "trap 'exit 9' TERM; while :; do sleep 0.05; done", "exit status 9", 100 * time.Millisecond},
		{"at SIGKILL", "trap '' TERM; while :; do sleep 0.05; done", "signal: killed", 200 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := launchScript(t, test.script)
			start := time.Now()
			p.descend(t.Context(), steps, func() { io.WriteString(p.in, "goodbye\n") })
			if took := time.Since(start); p.cause() != test.want || took < test.least {
				t.Errorf("%s after %v, want %s after %v", p.cause(), took, test.want, test.least)
			}
		})
	}
}

// launchScript runs a shell script and waits until it is under way.
func launchScript(t *testing.T, script string) *process {
	t.Helper()
	p, err := launch("/bin/sh", []string{"-c", script + "\n"}, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

func TestLadderInAHurry(t *testing.T) {
	p := launchScript(t, "trap '' TERM; while :; do sleep 0.05; done")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.descend(ctx, ladder{exit: time.Hour, stdin: time.Hour, term: time.Hour}, func() {})
	if p.cause() != "signal: killed" && p.cause() != "signal: terminated" {
		t.Errorf("ended by %s", p.cause())
	}
}

// TestGroup leaves a grandchild behind that ignores everything but SIGKILL. It holds a pipe open, whose end
// shows its own.
func TestGroup(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := launchScript(t, "(trap '' TERM; echo started; while :; do sleep 0.05; done) >'"+fifo+"' & read line; exit 0")
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
	launched := make(chan *process)
	go func() {
		runtime.LockOSThread() // a goroutine that ends locked takes its thread with it
		p, err := launch("/bin/cat", nil, t.TempDir(), nil)
		if err != nil {
			t.Error(err)
		}
		launched <- p
	}()
	p := <-launched
	t.Cleanup(p.kill)
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
	if _, err := launch("/nonexistent/program", nil, t.TempDir(), nil); err == nil {
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
