package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox/confine"
)

// timedOut is the exit status of a command that took too long, as timeout(1) has it.
const timedOut = 124

// lingering is how long a process that is gone may hold its output open.
const lingering = time.Second

// Run runs a command and waits until it and all that it started is gone. The error is a *SpecError for what cannot be run, a *RefusedError if the level
// is below what the command accepts, and a *StartError; or ctx's, whose end kills the command. A status other than 0 is no error.
func (s *Sandbox) Run(ctx context.Context, spec Spec) (Outcome, error) {
	spec = spec.withDefaults()
	if err := s.check(&spec); err != nil {
		return Outcome{}, err
	}
	support := s.Support(ctx)
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	if !support.Level.atLeast(spec.Accept) {
		return Outcome{}, &RefusedError{spec.Accept, support}
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
	if support.Level == None {
		return s.bare(ctx, spec)
	}
	return s.at(ctx, support.Level, spec)
}

// at runs a command at a level. What it does to protected paths is undone before at returns.
func (s *Sandbox) at(ctx context.Context, level Level, spec Spec) (Outcome, error) {
	places, err := s.makePlaces(spec.Session)
	if err != nil {
		return Outcome{}, &StartError{"scratch", err}
	}
	begin := time.Now()
	guard, err := s.inventory(level)
	if err != nil {
		return Outcome{}, &StartError{"protect", err}
	}
	plan, err := s.plan(level, spec, places, guard)
	if err != nil {
		return Outcome{}, &StartError{"plan", err}
	}
	out, err := s.execute(ctx, plan, spec)
	out.Isolation, out.Missing = level, s.missing(level)
	held, restored, undoing := s.undo(guard, places, begin)
	out.Held, out.Restored = held, restored
	if undoing != nil {
		err = errors.Join(err, &StartError{"undo", undoing})
	}
	return out, err
}

// execute starts the process between daemon and command, and waits for its end. Goroutines: one for each of the two outputs and for
// the report, which end with the process. Until then the goroutine keeps its thread: the process dies with the thread that started it, and
// another goroutine may be bound to that one and end it.
func (s *Sandbox) execute(ctx context.Context, plan *confine.Plan, spec Spec) (Outcome, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	limited, cancel := context.WithTimeout(ctx, spec.Timeout)
	defer cancel()
	begin := time.Now()
	p, err := launch(s.options.Program, plan, spec.OutputBytes)
	if err != nil {
		return Outcome{}, &StartError{"daemon", err}
	}
	report, err := p.wait(limited)
	out := Outcome{
		Exit: report.Exit, Limit: report.Limit, Duration: time.Since(begin), Stdout: p.stdout.out, Stderr: p.stderr.out,
	}
	killed := err != nil || report.Signal != 0 // at Partial the process reports how the command ended that it killed
	switch {
	case ctx.Err() != nil && killed:
		return out, ctx.Err()
	case limited.Err() != nil && killed:
		out.TimedOut, out.Exit = true, timedOut
		return out, nil
	case err != nil:
		return out, &StartError{"report", err}
	case report.Step != "":
		return out, &StartError{report.Step, errors.New(report.Error)}
	}
	if report.Signal != 0 {
		out.Signal = unix.SignalName(unix.Signal(report.Signal))
	}
	return out, nil
}

// A process is a running confine.Main.
type process struct {
	cmd            *exec.Cmd
	plan           *os.File // its closing ends the process
	report         *os.File
	stdout, stderr capture
	streams        []*os.File // our ends of the outputs
	reading        sync.WaitGroup
}

// confining is a variable of the process between daemon and command. A program that should be that process and is not, such as the binary of a test,
// would start itself without end.
const confining = "TIDEPOOL_CONFINING"

// launch starts the process and gives it the plan.
func launch(program []string, plan *confine.Plan, keep int64) (*process, error) {
	if os.Getenv(confining) != "" {
		return nil, fmt.Errorf("%s was started to confine a command, and does something else", program[0])
	}
	p := &process{cmd: exec.Command(program[0], program[1:]...)}
	p.stdout.most, p.stderr.most = keep, keep
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err != nil {
			err = fmt.Errorf("making a pipe: %w", err)
		}
		return r, w, err
	}
	planEnd, planFile, err := pipe()
	if err != nil {
		return nil, err
	}
	theirs, p.plan = append(theirs, planEnd), planFile
	ours := [3]*os.File{}
	for i := range ours {
		r, w, err := pipe()
		if err != nil {
			p.close(ours[:]...)
			return nil, err
		}
		theirs, ours[i] = append(theirs, w), r
	}
	p.report, p.streams = ours[0], ours[1:]
	p.cmd.ExtraFiles = theirs[:2] // confine.PlanFD, confine.ReportFD
	p.cmd.Stdout, p.cmd.Stderr = theirs[2], theirs[3]
	p.cmd.Env = []string{"GOGC=off", "GOMAXPROCS=1", confining + "=1"}
	p.cmd.Dir = "/"
	isolate(p.cmd, plan)
	if err := p.cmd.Start(); err != nil {
		p.close(ours[:]...)
		return nil, fmt.Errorf("starting %s: %w", program[0], err)
	}
	p.reading.Go(func() { p.stdout.drain(p.streams[0]) })
	p.reading.Go(func() { p.stderr.drain(p.streams[1]) })
	p.reading.Go(func() {
		// A process that fails before it has read the plan closes it; its report says why.
		_ = json.NewEncoder(p.plan).Encode(plan)
	})
	return p, nil
}

func (p *process) close(files ...*os.File) {
	for _, f := range append(files, p.plan) {
		if f != nil {
			f.Close()
		}
	}
}

// wait waits for the report and the end of the process, which it kills when ctx ends.
func (p *process) wait(ctx context.Context) (confine.Report, error) {
	stop := context.AfterFunc(ctx, func() { p.kill() })
	defer stop()
	var report confine.Report
	reading := json.NewDecoder(p.report).Decode(&report)
	ended := p.cmd.Wait()
	for _, f := range p.streams { // what has escaped killing, at a lower level, may still hold them
		f.SetReadDeadline(time.Now().Add(lingering))
	}
	p.plan.SetWriteDeadline(time.Now())
	p.reading.Wait()
	p.close(append(p.streams, p.report)...)
	if reading != nil {
		return report, fmt.Errorf("the process between daemon and command ended without a report: %w", errors.Join(ended, reading))
	}
	return report, nil
}
