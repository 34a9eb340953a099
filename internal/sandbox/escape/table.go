//go:build linux

package escape

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox"
)

// table tries the ways, one after the other, as the user that this process is, and hands each result on. It sets HOME and
// [secretVariable] of the process.
func table(ctx context.Context, o Options, each func(Result) error) (err error) {
	ways := slices.DeleteFunc(waysOf(o.Layout), func(w Way) bool {
		return !strings.Contains(w.Name, o.Only) || w.Unbound && o.Level != sandbox.Full
	})
	if err := validate(ways); err != nil {
		return err
	}
	dir := filepath.Join(o.Dir, "w")
	if err := errors.Join(os.Setenv("HOME", filepath.Join(dir, "home")), os.Setenv(secretVariable, secret())); err != nil {
		return err
	}
	w, err := newWorld(ctx, dir, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	t := &trial{Options: o, world: w}
	if err := t.supported(ctx); err != nil {
		return err
	}
	for i, way := range ways {
		if !o.Share.has(i) {
			continue
		}
		if err := each(t.try(ctx, way)); err != nil {
			return err
		}
	}
	return nil
}

// waysOf returns the ways that are tried in a layout: all where the project lies in the home, else those that are about where it lies.
func waysOf(l Layout) []Way {
	if l == InHome {
		return Ways()
	}
	return layoutWays()
}

// A trial tries ways in a world.
type trial struct {
	Options
	world *world
}

// try runs a way's lines inside, twice, and then outside in a new world.
func (t *trial) try(ctx context.Context, way Way) Result {
	r := Result{Way: way.Name}
	err := t.confined(ctx, way, &r)
	if err == nil && t.Control && t.controllable(way) {
		if r.Absent = t.absent(way); r.Absent == "" {
			err = t.control(ctx, way, &r)
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// box returns a new sandbox of the project.
func (t *trial) box() (*sandbox.Sandbox, error) {
	return sandbox.New(sandbox.Options{
		Program: t.Confine, Project: t.world.entrance(), Scratch: filepath.Join(t.world.project(), ".tidepool", "exec"),
	})
}

// supported returns an error if the level here is not the one that the table is about.
func (t *trial) supported(ctx context.Context) error {
	box, err := t.box()
	if err != nil {
		return err
	}
	if s := box.Support(ctx); s.Level != t.Level {
		return fmt.Errorf("the level is %q, not %q: step %s: %s", s.Level, t.Level, s.Step, s.Why)
	}
	return nil
}

// confined runs the lines in a sandbox.
func (t *trial) confined(ctx context.Context, way Way, r *Result) error {
	if err := t.world.reset(way.Without); err != nil {
		return err
	}
	box, err := t.box()
	if err != nil {
		return err
	}
	for range 2 {
		run, err := t.inside(ctx, box, way)
		if err != nil {
			return err
		}
		r.Runs = append(r.Runs, run)
	}
	return nil
}

// inside runs the lines once, and looks at what has happened.
func (t *trial) inside(ctx context.Context, box *sandbox.Sandbox, way Way) (Run, error) {
	var run Run
	first := secret()
	t.world.secrets["first session"] = []string{first}
	var printed []byte
	for i, line := range lines(way) {
		spec := sandbox.Spec{
			Args: []string{"sh", "-c", "echo " + began + "\n" + line}, Env: t.world.variables(true), Session: fmt.Sprint("session", i), Accept: t.Level,
			Timeout: cmp.Or(way.Timeout, usualTimeout), MemoryMB: cmp.Or(way.MemoryMB, usualMemoryMB), Processes: usualProcesses, OutputBytes: 1 << 20,
		}
		if i == 0 && way.Then != "" {
			spec.Env = append(spec.Env, "FIRST="+first)
		}
		own := &ownSocket{}
		spec.Socket = own.open
		start := time.Now()
		out, err := box.Run(ctx, spec)
		if err := own.close(); err != nil {
			return run, err
		}
		if err != nil {
			return run, err
		}
		if time.Since(start) > spec.Timeout+patience {
			run.Breaches = append(run.Breaches, lasts)
		}
		if out.Isolation != t.Level {
			return run, fmt.Errorf("it ran at %q, not %q", out.Isolation, t.Level)
		}
		text := slices.Concat(out.Stdout.Text, out.Stderr.Text)
		run.Breaches = append(run.Breaches, shown(way, i, text, out.Exit)...)
		run.Exit, run.Held, run.Restored = out.Exit, append(run.Held, out.Held...), append(run.Restored, out.Restored...)
		printed = append(printed, text...)
	}
	run.Output = end(printed)
	return run, t.judge(ctx, way, printed, &run)
}

const (
	began        = "tidepool-began"
	patience     = 10 * time.Second // on top of a timeout, for what is done before and after on a busy machine
	usualControl = 20 * time.Second // for a line that runs unconfined
)

func lines(way Way) []string {
	if way.Then == "" {
		return []string{way.Try}
	}
	return []string{way.Try, way.Then}
}

// shown returns what the output and the end of the i-th line of a way show, inside.
func shown(way Way, i int, text []byte, exit int) []Breach {
	var found []Breach
	switch {
	case !bytes.Contains(text, []byte(began)):
		found = append(found, untried)
	case way.Does == passes && bytes.Contains(text, []byte("through: ")):
		found = append(found, passes)
	case way.Does == passes && i == 0 && !bytes.Contains(text, []byte("stopped: ")) && exit < 128:
		found = append(found, untried)
	}
	if way.Exit != 0 && exit != way.Exit {
		found = append(found, pretend)
	}
	return found
}

// judge looks at the world after a run: first at what it did itself, then, after a person has done what the way waits for, at that.
func (t *trial) judge(ctx context.Context, way Way, printed []byte, run *Run) error {
	run.Breaches = append(run.Breaches, t.world.told(printed)...)
	if len(marked(t.world.token)) > 0 {
		run.Breaches = append(run.Breaches, leaves)
		if err := endMarked(t.world.token); err != nil {
			return err
		}
	}
	if way.Later != "" {
		if _, _, err := t.outside(ctx, way.Later, nil); err != nil {
			return err
		}
	}
	for _, look := range []func() ([]Breach, error){t.world.sockets.breaches, t.world.changed, t.world.left, t.world.harmed} {
		found, err := look()
		if err != nil {
			return err
		}
		run.Breaches = append(run.Breaches, found...)
	}
	slices.Sort(run.Breaches)
	run.Breaches = slices.Compact(run.Breaches)
	return nil
}

// outside runs a line unconfined, for at most as long as a row may take. As root it has a mount namespace of its own.
func (t *trial) outside(ctx context.Context, line string, way *Way) (text []byte, late bool, err error) {
	limit := usualControl
	if way != nil {
		limit = cmp.Or(way.Timeout, usualControl)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", line)
	out := &tail{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.world.project(), out, out
	cmd.Env = append(os.Environ(), t.world.variables(false)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if way != nil && os.Geteuid() == 0 {
		cmd.SysProcAttr.Unshareflags = unix.CLONE_NEWNS
	}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = 500 * time.Millisecond
	err = cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); exited || errors.Is(err, exec.ErrWaitDelay) || limited.Err() != nil {
		err = nil
	}
	return out.text, limited.Err() != nil, err
}

// A tail keeps the first megabyte of what is written to it, and takes the rest.
type tail struct{ text []byte }

func (t *tail) Write(data []byte) (int, error) {
	t.text = append(t.text, data[:min(len(data), 1<<20-len(t.text))]...)
	return len(data), nil
}

// end returns the last lines of an output.
func end(text []byte) string { return string(text[max(0, len(text)-600):]) }
