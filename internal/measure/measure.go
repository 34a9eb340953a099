// Package measure runs the steps of a program that publishes figures, each in a process of its own, so that neither memory nor
// processor time is another step's.
//
// The program starts itself with the name of a step and a directory as its two arguments. That process prints the step's figures
// as JSON.
package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Figures are what a step has measured, by name: durations in nanoseconds, sizes in bytes, counts.
type Figures map[string]time.Duration

// A Step measures something about what is in a directory.
type Step func(ctx context.Context, dir string) (Figures, error)

// Serve runs a step and writes its figures. It is what a process that Run has started does.
func Serve(ctx context.Context, step Step, dir string, out io.Writer) error {
	f, err := step(ctx, dir)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}

// Run runs a step in a new process of this program and returns its figures. What the step writes to standard error is shown.
func Run(ctx context.Context, step, dir string) (Figures, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, step, dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	var f Figures
	return f, json.Unmarshal(out.Bytes(), &f)
}

// CPU returns the processor time of this process so far; 0: the system does not tell.
func CPU() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Percentile returns the p-th percentile of some times. There must be one.
func Percentile(times []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}
