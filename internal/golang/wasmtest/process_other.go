//go:build !linux

package wasmtest

import (
	"os/exec"
	"syscall"
	"time"
)

// isolate gives the program a process group of its own. There is no parent-death signal here: a sandbox whose parent died sees the
// end of its input, and the go command ends by itself.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// reap waits for the program, calls last, and kills what is left of its group.
func reap(cmd *exec.Cmd, last func()) {
	cmd.Wait()
	last()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}

// processorTime is at most the time since a process began: that of another one is not told here.
func processorTime(_ int, began time.Time) (time.Duration, error) { return time.Since(began), nil }
