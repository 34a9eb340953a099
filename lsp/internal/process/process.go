// Package process runs programs that live as long as we do: each in a process group of its own that ends with us, with an
// input that blocks nobody, and an end in steps. A Ledger ends those that the system has left, a Scratch is where their
// temporary files go.
package process

import (
	"context"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A Process is one running program in a process group of its own.
// Goroutines: own (one), the only one that waits for the program, which also kills what is left of the
// group; the write queue's pump; and one that copies standard error, which ends before own does.
type Process struct {
	cmd    *exec.Cmd
	in     *WriteQueue
	out    io.Reader // ends when the program has
	stderr tail
	exited chan struct{} // closed when the program and its group are gone

	mu     sync.Mutex
	reaped bool // its id may belong to somebody else
}

// A Program says what to run.
type Program struct {
	Path    string
	Args    []string
	Dir     string
	Env     []string
	Session bool // on Linux: in a session of its own, see isolate
}

// Launch starts a program. It lives until it ends by itself or is signalled, whatever becomes of the caller. What it
// writes to its standard error goes to listener as well.
func Launch(program Program, listener io.Writer) (*Process, error) {
	p := &Process{cmd: exec.Command(program.Path, program.Args...), exited: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = program.Dir, program.Env
	p.cmd.Stderr = io.MultiWriter(&p.stderr, listener)
	p.cmd.WaitDelay = time.Second // for a stray descendant that holds standard error open
	isolate(p.cmd, program.Session)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	started := make(chan error)
	go p.own(started)
	if err := <-started; err != nil {
		return nil, err
	}
	p.in = NewWriteQueue(stdin, func() { p.Signal(kill) }) // it is of no use to anybody any more
	return p, nil
}

// own starts the program and waits for it. The goroutine stays on one thread for all that time, because
// Linux sends the parent-death signal when the *thread* that forked ends, and the runtime ends idle threads.
func (p *Process) own(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
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

// In returns what the program reads. What is written to it is queued.
func (p *Process) In() *WriteQueue { return p.in }

// Out returns what the program writes. It ends when the program has.
func (p *Process) Out() io.Reader { return p.out }

// Exited is closed when the program and its group are gone.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// PID returns the id of the program, and of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stderr returns the last lines of the program's standard error that are not blank, eight at the most.
func (p *Process) Stderr() []string { return p.stderr.lines() }

// Signal signals the group as long as it is certain to be ours.
func (p *Process) Signal(signal syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		SignalGroup(p.cmd.Process.Pid, signal)
	}
}

// Cause says how the program ended. Only after Exited is closed.
func (p *Process) Cause() string { return p.cmd.ProcessState.String() }

// StopTimeouts say how long a program may take at each step of its end before the next is taken.
type StopTimeouts struct {
	Exit  time.Duration // to end after goodbye
	Stdin time.Duration // … after its input has ended
	Term  time.Duration // … after SIGTERM to its group, before SIGKILL
}

// End ends the program: goodbye, the end of its input, SIGTERM, SIGKILL, each step only if the one
// before did not do it in its time. When ctx ends the rest is taken at once. It returns when nothing is left.
func (p *Process) End(ctx context.Context, steps StopTimeouts, goodbye func()) {
	p.step(ctx, steps.Exit, goodbye)
	p.step(ctx, steps.Stdin, func() { p.in.Close() })
	p.step(ctx, steps.Term, func() { p.Signal(terminate) })
	p.Kill()
}

func (p *Process) step(ctx context.Context, wait time.Duration, act func()) {
	select {
	case <-p.exited:
		return
	default:
	}
	act()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Kill ends the group and waits until it is gone.
func (p *Process) Kill() {
	p.Signal(kill)
	<-p.exited
	p.in.Close()
	<-p.in.done
}
