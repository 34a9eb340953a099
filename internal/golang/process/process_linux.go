package process

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate gives the program a process group of its own and has the kernel kill it when we die, however.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// reap waits for the program and kills what is left of its group before the program is taken off the process table: until then
// its id, which is that of the group, cannot belong to anybody else. last is called before that.
func reap(cmd *exec.Cmd, last func()) {
	pid := cmd.Process.Pid
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	syscall.Kill(-pid, syscall.SIGKILL)
	last()
	cmd.Wait()
}
