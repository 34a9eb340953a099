// Package process starts programs in process groups of their own that end with the program that started them.
package process

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lingering is how long what a program has left running may hold its output open.
const lingering = time.Second

// A Process is a program in a group of its own, which ends with us where the system can see to it.
// Goroutines: own (one), which ends when the program has; exec's, which copy what it writes and end before.
type Process struct {
	Cmd    *exec.Cmd
	exited chan struct{} // closed when the program and its group are gone, and Cmd.ProcessState says how

	mu     sync.Mutex
	reaped bool // its id may belong to somebody else
}

// Start starts a program, with a niceness; 0: that of this process.
func Start(cmd *exec.Cmd, nice int) (*Process, error) {
	p := &Process{Cmd: cmd, exited: make(chan struct{})}
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
func (p *Process) own(nice int, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.Cmd.Start()
	if err == nil && nice != 0 {
		_ = unix.Setpriority(unix.PRIO_PGRP, p.Cmd.Process.Pid, nice) // if it can
	}
	started <- err
	if err != nil {
		return
	}
	reap(p.Cmd, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reaped = true
	})
	close(p.exited)
}

// Exited is closed when the program and its group are gone, and Cmd.ProcessState says how the program ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Kill ends the group and waits until it is gone.
func (p *Process) Kill() {
	p.mu.Lock()
	if !p.reaped {
		syscall.Kill(-p.Cmd.Process.Pid, syscall.SIGKILL)
	}
	p.mu.Unlock()
	<-p.exited
}
