package process

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// isolate gives the program a process group of its own, or a session, and has the kernel kill it when we die, however.
//
// A session has a share of the processors of its own (sched_autogroup_enabled). clangd indexes in threads of SCHED_IDLE, which only run
// while nothing else in their share wants to: beside four busy loops in one session an index of six small files took 70 s, and 0.5 s
// in a session apart.
//
// When the leader of a group dies, the kernel sends SIGHUP to what is stopped in it, so that nothing outlives us. It does not do so in a
// session of our making: only a program that starts no others which stay may have one.
func isolate(cmd *exec.Cmd, session bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !session, Setsid: session, Pdeathsig: syscall.SIGKILL}
}

// reap waits for the program, then kills what is left of its group. It does so before the program is taken
// off the process table: until then its id, which is that of the group, cannot belong to anybody else.
// last is called before that.
func reap(cmd *exec.Cmd, last func()) {
	pid := cmd.Process.Pid
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	SignalGroup(pid, kill)
	last()
	cmd.Wait() // closes our ends of the pipes; cmd.ProcessState says how it ended
}

// SignalGroup signals all processes of the group with that id.
func SignalGroup(pid int, signal syscall.Signal) { syscall.Kill(-pid, signal) }
