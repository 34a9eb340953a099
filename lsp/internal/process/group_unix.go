//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// isolate gives the program a process group of its own. There is no parent-death signal here: a server
// whose daemon died sees the end of its input, and language servers end on that; a ledger names those that do not.
func isolate(cmd *exec.Cmd, _ bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// reap waits for the program, calls last, and kills what is left of its group.
func reap(cmd *exec.Cmd, last func()) {
	cmd.Wait() // closes our ends of the pipes; cmd.ProcessState says how it ended
	last()
	SignalGroup(cmd.Process.Pid, kill)
}

// SignalGroup signals all processes of the group with that id.
func SignalGroup(pid int, signal syscall.Signal) { syscall.Kill(-pid, signal) }
