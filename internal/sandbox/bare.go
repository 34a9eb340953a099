package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox/confine"
)

// bare runs a command as it is, for a caller that accepts None where nothing better is to be had. A timeout ends the process and its
// group; what has left the group goes on.
func (s *Sandbox) bare(ctx context.Context, spec Spec) (Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, spec.Timeout)
	defer cancel()
	program, err := confine.Look(spec.Args[0], spec.Env)
	if err != nil {
		return Outcome{}, &StartError{"start", err}
	}
	stdout, stderr := capture{most: spec.OutputBytes}, capture{most: spec.OutputBytes}
	cmd := exec.CommandContext(limited, program)
	cmd.Args, cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = spec.Args, spec.Dir, s.environment(spec.Env, nil), &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = lingering
	begin := time.Now()
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return Outcome{}, &StartError{"start", fmt.Errorf("starting %s: %w", program, err)}
	}
	out := Outcome{
		Exit: cmd.ProcessState.ExitCode(), Duration: time.Since(begin), Stdout: stdout.out, Stderr: stderr.out, Isolation: None, Missing: s.missing(None),
	}
	if status, is := cmd.ProcessState.Sys().(syscall.WaitStatus); is && status.Signaled() {
		out.Exit, out.Signal = 128+int(status.Signal()), unix.SignalName(status.Signal())
	}
	switch {
	case ctx.Err() != nil && out.Signal != "":
		return out, ctx.Err()
	case limited.Err() != nil && out.Signal != "":
		out.TimedOut, out.Exit = true, timedOut
	case err != nil && !errors.Is(err, exec.ErrWaitDelay) && out.Exit == 0:
		return out, &StartError{"wait", err}
	}
	return out, nil
}
