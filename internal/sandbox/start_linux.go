package sandbox

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox/confine"
)

// isolate has the process start in namespaces of its own. The kernel kills it when the daemon dies, and with it its pid namespace. Linux
// takes the end of the thread that forked for that of the daemon, so execute keeps the thread. Besides, the process watches the plan's
// descriptor.
func isolate(cmd *exec.Cmd, plan *confine.Plan) {
	attr := &syscall.SysProcAttr{Setsid: true}
	cmd.SysProcAttr = attr
	if !plan.Full {
		return // it kills what the command has started, so it must outlive the daemon
	}
	attr.Pdeathsig = syscall.SIGKILL
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	if !plan.Network {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	uid, gid := os.Geteuid(), os.Getegid()
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
	attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
}

// kill ends the process: at once in a pid namespace, which dies with it; else by closing the plan, so that it kills what the command has started.
func (p *process) kill() {
	if p.cmd.SysProcAttr.Cloneflags != 0 {
		p.cmd.Process.Kill()
		return
	}
	p.plan.Close()
}
