//go:build !linux

package process

import (
	"os/exec"
	"syscall"
)

// isolate gives the program a process group of its own. There is no parent-death signal here: a program whose parent died must
// end with its input.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// reap waits for the program, calls last, and kills what is left of its group.
func reap(cmd *exec.Cmd, last func()) {
	cmd.Wait()
	last()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
