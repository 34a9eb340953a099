package lsp

import (
	"context"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A process is one running program in a process group of its own.
// Goroutines: own (one), the only one that waits for the program, which also kills what is left of the
// group; the outbox's pump; and one that copies standard error, which ends before own does.
type process struct {
	cmd    *exec.Cmd
	in     *outbox
	out    io.Reader // ends when the program has
	stderr tail
	exited chan struct{} // closed when the program and its group are gone

	mu     sync.Mutex
	reaped bool // its id may belong to somebody else
}

// launch starts a program. It lives until it ends by itself or is signalled, whatever becomes of the caller. What it
// writes to its standard error goes to listener as well.
func launch(path string, args []string, dir string, env []string, listener io.Writer) (*process, error) {
	p := &process{cmd: exec.Command(path, args...), exited: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = dir, env
	p.cmd.Stderr = io.MultiWriter(&p.stderr, listener)
	p.cmd.WaitDelay = time.Second // for a stray descendant that holds standard error open
	isolate(p.cmd)
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
	p.in = newOutbox(stdin, func() { p.signal(kill) }) // it is of no use to anybody any more
	return p, nil
}

// own starts the program and waits for it. The goroutine stays on one thread for all that time, because
// Linux sends the parent-death signal when the *thread* that forked ends, and the runtime ends idle threads.
func (p *process) own(started chan<- error) {
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

// signal signals the group as long as it is certain to be ours.
func (p *process) signal(signal syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		signalGroup(p.cmd.Process.Pid, signal)
	}
}

// cause says how the program ended. Only after exited is closed.
func (p *process) cause() string { return p.cmd.ProcessState.String() }

// A ladder says how long a server may take at each step of its end before the next is taken.
type ladder struct {
	shutdown time.Duration // to answer the shutdown request
	exit     time.Duration // to end after the exit notification
	stdin    time.Duration // … after its input has ended
	term     time.Duration // … after SIGTERM to its group, before SIGKILL
}

func patience() ladder {
	return ladder{shutdown: 2 * time.Second, exit: time.Second, stdin: time.Second, term: 2 * time.Second}
}

// descend ends the program: goodbye, the end of its input, SIGTERM, SIGKILL, each step only if the one
// before did not do it in its time. When ctx ends the rest is taken at once. It returns when nothing is left.
func (p *process) descend(ctx context.Context, steps ladder, goodbye func()) {
	p.step(ctx, steps.exit, goodbye)
	p.step(ctx, steps.stdin, func() { p.in.Close() })
	p.step(ctx, steps.term, func() { p.signal(terminate) })
	p.kill()
}

func (p *process) step(ctx context.Context, wait time.Duration, act func()) {
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

// kill ends the group and waits until it is gone.
func (p *process) kill() {
	p.signal(kill)
	<-p.exited
	p.in.Close()
	<-p.in.done
}
