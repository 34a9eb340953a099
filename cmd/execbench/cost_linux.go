package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/figures"
	"tidepool/internal/measure"
	"tidepool/internal/sandbox"
)

// runs is how many commands each side runs; the first ones, while files are read from disk, do not count.
const (
	runs   = 100
	warmup = 5
)

// cost compares a confined true with the same below bubblewrap, which has the same mounts.
func cost(ctx context.Context, root string) ([]figures.Row, error) {
	f, err := measure.Run(ctx, "true", root)
	if err != nil {
		return nil, err
	}
	compare := func(what, hold, of string, most float64) figures.Row {
		ratio := float64(f["our "+of]) / float64(f["its "+of])
		return figures.Row{
			What: what, Hold: hold, Measured: fmt.Sprintf("%.2f×", ratio), Held: ratio <= most,
			Beside: fmt.Sprintf("%v against bubblewrap's %v, medians of %d; %d mounts against %d", f["our "+of].Round(10*time.Microsecond), f["its "+of].Round(10*time.Microsecond), runs, f["our mounts"], f["its mounts"]),
		}
	}
	return []figures.Row{
		compare("CPU of a confined `true`, of the process that asks and of all that it starts", "≤ 4×", "cpu", 4),
		compare("the same, from the call to its outcome", "≤ 2×", "wall", 2),
	}, nil
}

// measureTrue runs true in a sandbox and below bubblewrap, in turns. Each is first in every other round.
func measureTrue(ctx context.Context, root string) (measure.Figures, error) {
	dir, err := os.MkdirTemp("/opt", "tidepool-execbench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	project, err := benchProject(ctx, dir)
	if err != nil {
		return nil, err
	}
	box, err := sandbox.New(sandbox.Options{
		Program: []string{filepath.Join(root, "bin", "agent"), "sandbox"}, Project: project, Scratch: filepath.Join(project, ".tidepool", "exec"),
	})
	if err != nil {
		return nil, err
	}
	ours := func() error {
		out, err := box.Run(ctx, sandbox.Spec{Args: []string{"true"}, Env: environment()})
		if err == nil && out.Exit != 0 {
			err = fmt.Errorf("true ended with %d: %s", out.Exit, out.Stderr.Text)
		}
		return err
	}
	outside, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	arguments, mounts, err := bubblewrap(ctx, box, project, outside)
	if err != nil {
		return nil, err
	}
	wrapped := func(command ...string) ([]byte, error) {
		out, err := exec.CommandContext(ctx, "bwrap", append(slices.Clone(arguments), command...)...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("bwrap: %w: %s", err, out)
		}
		return out, err
	}
	table, err := wrapped("cat", "/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	f, err := inTurns(ours, func() error { _, err := wrapped("true"); return err })
	if err == nil {
		f["our mounts"], f["its mounts"] = time.Duration(mounts), time.Duration(len(added(string(table), outside)))
	}
	return f, err
}

// environment is what both sides start from.
func environment() []string { return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C"} }

// benchProject makes a repository with settings of Claude Code and editors.
func benchProject(ctx context.Context, dir string) (string, error) {
	project := filepath.Join(dir, "project")
	for _, path := range []string{".claude/settings.json", ".mcp.json", ".vscode/tasks.json", ".tidepool/config.json", "main.go"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(project, path)), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(project, path), []byte("{}\n"), 0o600); err != nil {
			return "", err
		}
	}
	out, err := exec.CommandContext(ctx, "git", "init", "-q", project).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git init: %w: %s", err, out)
	}
	return project, nil
}

// inTurns measures both sides: medians of processor time and of time.
func inTurns(ours, its func() error) (measure.Figures, error) {
	times := map[string][]time.Duration{}
	sides := []struct {
		name string
		do   func() error
	}{{"our", ours}, {"its", its}}
	for i := range runs + warmup {
		slices.Reverse(sides)
		for _, side := range sides {
			cpu, err := processorTime()
			begin := time.Now()
			if err = errors.Join(err, side.do()); err != nil {
				return nil, err
			}
			wall := time.Since(begin)
			after, err := processorTime()
			if err != nil {
				return nil, err
			}
			if i >= warmup {
				times[side.name+" cpu"] = append(times[side.name+" cpu"], after-cpu)
				times[side.name+" wall"] = append(times[side.name+" wall"], wall)
			}
		}
	}
	f := measure.Figures{}
	for name, all := range times {
		f[name] = measure.Percentile(all, 50)
	}
	return f, nil
}

// processorTime returns what this process and all that have ended below it have used.
func processorTime() (time.Duration, error) {
	var below unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_CHILDREN, &below)
	return measure.CPU() + time.Duration(below.Utime.Nano()+below.Stime.Nano()), err
}
