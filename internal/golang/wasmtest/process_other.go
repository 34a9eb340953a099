//go:build !linux

package wasmtest

import (
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
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

// stepBack lets others before a group of processes, if it can. Beside two busy processes a core they get a twentieth of it;
// the last in line, at 19, would get less than a hundredth, and never be done.
func stepBack(group int) { unix.Setpriority(unix.PRIO_PGRP, group, 10) }

// processorTime is at most the time since a process began: that of another one is not told here.
func processorTime(_ int, began time.Time) (time.Duration, error) { return time.Since(began), nil }
