package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Figures are what a step has measured, by name: durations in nanoseconds, sizes in bytes.
type figures map[string]time.Duration

// steps are what runs in a process of its own, so that neither memory nor processor time is another's.
func steps() map[string]func(context.Context, *corpus) (figures, error) {
	return map[string]func(context.Context, *corpus) (figures, error){
		"week": week, "build": build, "ask": ask, "follow": follow, "fts5": fts5,
	}
}

// step runs one and prints what it has measured.
func step(ctx context.Context, name, dir string) error {
	run := steps()[name]
	if run == nil {
		return fmt.Errorf("there is no step %q", name)
	}
	c, err := openCorpus(dir)
	if err != nil {
		return err
	}
	f, err := run(ctx, c)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// step runs a step on a corpus and returns its figures.
func (b *bench) step(name string, of *corpus) (figures, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, program, name, of.Dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var f figures
	return f, json.Unmarshal(out.Bytes(), &f)
}

// cpu returns the processor time of this process so far.
func cpu() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// percentile returns the p-th percentile of some times. There must be one.
func percentile(times []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}
