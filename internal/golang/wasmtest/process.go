package wasmtest

import (
	"bytes"
	"context"
	"os/exec"
	"time"

	"tidepool/internal/golang/process"
)

// stderrKept is how many bytes of a program's standard error are kept; compilers say first what matters.
const stderrKept = 16 << 10

// finish runs a program to its end, which comes soon when ctx has ended.
func finish(ctx context.Context, cmd *exec.Cmd, nice int) error {
	p, err := process.Start(cmd, nice)
	if err != nil {
		return err
	}
	select {
	case <-p.Exited():
	case <-ctx.Done():
		p.Kill()
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !cmd.ProcessState.Success():
		return &exec.ExitError{ProcessState: cmd.ProcessState}
	}
	return nil
}

// taken returns the processor time of a program that has ended, with that of the programs it has waited for.
func taken(cmd *exec.Cmd) time.Duration {
	if cmd.ProcessState == nil {
		return 0
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// A head keeps the first bytes that are written to it.
type head struct {
	bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(h.limit-h.Len(), 0))])
	return len(p), nil
}
