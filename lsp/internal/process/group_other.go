//go:build !unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// isolate does nothing: without process groups a server's own children are its own affair.
func isolate(*exec.Cmd, bool) {}

// reap waits for the program and calls last.
func reap(cmd *exec.Cmd, last func()) {
	cmd.Wait()
	last()
}

// SignalGroup kills the program on kill; there is no gentler signal here.
func SignalGroup(pid int, signal syscall.Signal) {
	if program, err := os.FindProcess(pid); err == nil && signal == kill {
		program.Kill()
	}
}
