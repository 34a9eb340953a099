package wasmtest

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stderrKept is how many bytes of a program's standard error are kept; compilers say first what matters.
const stderrKept = 16 << 10

// lingering is how long what a program has left running may hold its output open.
const lingering = time.Second

// A process is a program in a group of its own, which ends with us where the system can see to it.
// Goroutines: own (one), which ends when the program has; exec's, which copy what it writes and end before.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when the program and its group are gone, and cmd.ProcessState says how

	mu     sync.Mutex
	reaped bool // its id may belong to somebody else
}

// start starts a program, with a niceness.
func start(cmd *exec.Cmd, nice int) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{})}
	cmd.WaitDelay = lingering
	isolate(cmd)
	started := make(chan error)
	go p.own(nice, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// own starts the program and waits for it, on one thread: Linux takes the end of the thread that forked for our death.
func (p *process) own(nice int, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	if err == nil && nice != 0 {
		_ = unix.Setpriority(unix.PRIO_PGRP, p.cmd.Process.Pid, nice) // if it can
	}
	started <- err
	if err != nil {
		return
	}
	reap(p.cmd, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reaped = true
	})
	close(p.exited)
}

// kill ends the group and waits until it is gone.
func (p *process) kill() {
	p.mu.Lock()
	if !p.reaped {
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
	p.mu.Unlock()
	<-p.exited
}

// finish runs a program to its end, which comes soon when ctx has ended.
func finish(ctx context.Context, cmd *exec.Cmd, nice int) error {
	p, err := start(cmd, nice)
	if err != nil {
		return err
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		p.kill()
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !cmd.ProcessState.Success():
		return &exec.ExitError{ProcessState: cmd.ProcessState}
	}
	return nil
}

// taken returns the processor time of a program that has ended, with that of the programs it has waited for.
func taken(cmd *exec.Cmd) time.Duration {
	if cmd.ProcessState == nil {
		return 0
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// A head keeps the first bytes that are written to it.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(h.limit-h.Len(), 0))])
	return len(p), nil
}
