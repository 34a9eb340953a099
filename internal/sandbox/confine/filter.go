//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, and of the low half of an argument: both architectures are little-endian.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArgs = 16
)

// newNamespaces are the flags of clone and unshare that make namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

const (
	newTime    = 0x80 // CLONE_NEWTIME, in unshare alone: in clone it is a part of the signal's number
	setIDs     = unix.S_ISUID | unix.S_ISGID
	tiocsti    = 0x5412                  // pushes input into a terminal
	tioclinux  = 0x541C                  // the same, on a console
	modeOfMake = unix.O_CREAT | 0x400000 // and __O_TMPFILE
)

func refuse(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

// A program is a filter of seccomp(2) in classic BPF, while it is written. Each part ends with a return or falls through.
type program []unix.SockFilter

func (p *program) add(code uint16, k uint32, jt, jf uint8) {
	*p = append(*p, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (p *program) load(offset uint32)   { p.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }
func (p *program) answer(action uint32) { p.add(unix.BPF_RET|unix.BPF_K, action, 0, 0) }

// call answers one system call; it expects its number to be loaded.
func (p *program) call(number, action uint32) {
	p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, 1)
	p.answer(action)
}

// A test is a question about an argument: whether it equals, or has one of these bits.
type test struct {
	argument int
	code     uint16 // unix.BPF_JEQ or unix.BPF_JSET
	value    uint32
}

func equals(argument int, value uint32) test { return test{argument, unix.BPF_JEQ, value} }
func has(argument int, bits uint32) test     { return test{argument, unix.BPF_JSET, bits} }

// callIf answers a system call if all tests hold of its arguments, as the kernel reads them: their low 32 bits.
func (p *program) callIf(number, action uint32, tests ...test) {
	rest := len(tests)*2 + 1 // instructions behind the first
	p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, uint8(rest+1))
	for i, t := range tests {
		p.load(offsetArgs + uint32(t.argument)*8)
		p.add(unix.BPF_JMP|t.code|unix.BPF_K, t.value, 0, uint8(rest-2*i-2))
	}
	p.answer(action)
	p.load(offsetCall)
}

// sockets answers socket or socketpair: these families are allowed, the others are not.
func (p *program) sockets(number uint32, families ...uint32) {
	p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, uint8(len(families)+3))
	p.load(offsetArgs)
	for i, family := range families {
		p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, family, uint8(len(families)-i), 0)
	}
	p.answer(refuse(unix.EAFNOSUPPORT))
	p.answer(unix.SECCOMP_RET_ALLOW)
}

// filter returns the program for a plan. It lists what is refused. What a filter cannot look into, because it is behind a pointer, is
// answered as if the kernel were too old for it: programs then use the older call.
func filter(p *Plan, landlock int) program {
	var f program
	f.load(offsetArch)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, nativeArch, 1, 0)
	f.answer(unix.SECCOMP_RET_KILL_PROCESS)
	f.load(offsetCall)
	if foreignCalls != 0 {
		f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, foreignCalls, 0, 1)
		f.answer(unix.SECCOMP_RET_KILL_PROCESS)
	}
	f.callIf(unix.SYS_CLONE, refuse(unix.EPERM), has(0, newNamespaces))
	f.callIf(unix.SYS_UNSHARE, refuse(unix.EPERM), has(0, newNamespaces|newTime))
	for _, number := range []uint32{unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_MEMFD_CREATE} {
		f.call(number, refuse(unix.ENOSYS))
	}
	f.callIf(unix.SYS_IOCTL, refuse(unix.EPERM), equals(1, tiocsti))
	f.callIf(unix.SYS_IOCTL, refuse(unix.EPERM), equals(1, tioclinux))
	f.modes()
	for _, number := range refused(p.Full) {
		f.call(number, refuse(unix.EPERM))
	}
	switch {
	case p.self: // the Go runtime signals threads of its own process
		f.limits()
	case !p.Full:
		f.others(uint32(unix.Getpid()), uint32(unix.Gettid()))
	}
	f.network(p, landlock)
	f.answer(unix.SECCOMP_RET_ALLOW)
	return f
}

// modes refuses to make files that run as their owner.
func (p *program) modes() {
	for number, argument := range modeCalls() {
		p.callIf(number, refuse(unix.EPERM), has(argument, setIDs))
	}
	for number, argument := range makingCalls() { // the mode counts if the flags before it say so
		p.callIf(number, refuse(unix.EPERM), has(argument-1, modeOfMake), has(argument, setIDs))
	}
}

// others keeps the process that watches the command, and this thread of it, from the command's signals, and limits and priorities of
// all processes but the caller: without a pid namespace they are in sight.
func (p *program) others(process, thread uint32) {
	for _, number := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
		p.callIf(number, refuse(unix.EPERM), equals(0, process))
	}
	p.callIf(unix.SYS_TKILL, refuse(unix.EPERM), equals(0, thread))
	p.limits()
}

// limits refuses to change limits and priorities of other processes.
func (p *program) limits() {
	const any = 1<<32 - 1
	p.callIf(unix.SYS_PRLIMIT64, refuse(unix.EPERM), has(0, any))
	p.callIf(unix.SYS_SETPRIORITY, refuse(unix.EPERM), has(1, any))
}

// network refuses families of sockets: without a network namespace nothing but pairs is left, and with the machine's network no
// Unix sockets, unless Landlock keeps abstract ones apart: those have no path that could be covered.
func (p *program) network(plan *Plan, landlock int) {
	p.sockets(unix.SYS_SOCKETPAIR, unix.AF_UNIX)
	switch {
	case !plan.Full:
		p.sockets(unix.SYS_SOCKET)
	case plan.Network && landlock < 6:
		p.sockets(unix.SYS_SOCKET, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	default:
		p.sockets(unix.SYS_SOCKET, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
}

// refused returns the system calls that are refused with whatever arguments.
func refused(full bool) []uint32 {
	calls := []uint32{
		unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT,
		unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
		unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_REBOOT, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_LOOKUP_DCOOKIE,
	}
	if !full { // other processes of the same user are in sight
		calls = append(calls, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_OPEN,
			unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
			unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMCTL, unix.SYS_SEMTIMEDOP, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK)
	}
	return append(calls, refusedHere()...)
}

// restrictCalls puts the thread behind the filter.
func restrictCalls(p *Plan) error {
	return install(filter(p, LandlockVersion()), 0)
}

// install sets a filter, with flags of seccomp(2).
func install(f program, flags uintptr) error {
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("setting a filter of %d instructions: %w", len(f), errno)
	}
	return nil
}
