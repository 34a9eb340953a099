//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
)

// signalled is what a shell adds to the number of the signal that ended a command.
const signalled = 128

// run starts the command and reports its end. The goroutines besides end with the process: one reads the plan's
// descriptor to its end, one watches the limits.
func run(p *Plan, plan io.Reader) Report {
	reserveThreads()
	pid, err := start(p)
	if err != nil {
		return Report{Step: "start", Error: err.Error()}
	}
	if LandlockVersion() < 6 { // else the command cannot send any signal to this process
		signal.Notify(make(chan os.Signal, 1))
	}
	w := &watch{plan: p, command: pid, exceeded: make(chan string, 1)}
	go w.untilHangup(plan)
	go w.limits()
	var status syscall.WaitStatus
	for {
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return Report{Step: "wait", Error: err.Error()}
		}
		if ended == pid && (status.Exited() || status.Signaled()) {
			break
		}
	}
	if !p.Full {
		w.killRest()
	}
	r := Report{Exit: status.ExitStatus()}
	if status.Signaled() {
		r.Signal = int(status.Signal())
		r.Exit = signalled + r.Signal
	}
	select {
	case r.Limit = <-w.exceeded:
	default:
	}
	return r
}

// reserved is how many threads this process keeps for what it does while the command runs: two goroutines that wait in system calls, one
// for the scheduler, and one that kills.
const reserved = 4

// reserveThreads has the runtime make the threads that it may need later, and keep them. A command that takes all tasks of the process
// namespace would end this process otherwise: Go gives up when it cannot have a thread.
func reserveThreads() {
	var running, ended sync.WaitGroup
	release := make(chan struct{})
	running.Add(reserved)
	for range reserved {
		ended.Go(func() {
			runtime.LockOSThread() // so that no two goroutines are on one thread
			running.Done()
			<-release
			runtime.UnlockOSThread() // the thread stays, for others
		})
	}
	running.Wait()
	close(release)
	ended.Wait()
}

// start starts the command from this thread, whose restrictions it inherits, without a terminal or an input.
func start(p *Plan) (int, error) {
	program, err := Look(p.Args[0], p.Env)
	if err != nil {
		return 0, err
	}
	null, err := syscall.Open("/dev/null", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("opening /dev/null: %w", err)
	}
	pid, err := syscall.ForkExec(program, p.Args, &syscall.ProcAttr{
		Dir: p.Dir, Env: p.Env, Files: []uintptr{uintptr(null), 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return 0, fmt.Errorf("starting %s in %s: %w", program, p.Dir, err)
	}
	return pid, nil
}
