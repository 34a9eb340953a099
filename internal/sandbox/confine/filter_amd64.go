//go:build linux

package confine

import "golang.org/x/sys/unix"

const (
	nativeArch   = unix.AUDIT_ARCH_X86_64
	foreignCalls = 0x40000000 // calls of x32, and all above
)

// modeCalls returns the calls that give a file a mode, with the mode's argument.
func modeCalls() map[uint32]int {
	return map[uint32]int{
		unix.SYS_CHMOD: 1, unix.SYS_FCHMOD: 1, unix.SYS_FCHMODAT: 2, unix.SYS_FCHMODAT2: 2, unix.SYS_CREAT: 1, unix.SYS_MKNOD: 1, unix.SYS_MKNODAT: 2,
	}
}

// makingCalls returns the calls that may make a file, with the mode's argument; the flags stand before it.
func makingCalls() map[uint32]int {
	return map[uint32]int{unix.SYS_OPEN: 2, unix.SYS_OPENAT: 3}
}

// refusedHere returns the calls that only this architecture has.
func refusedHere() []uint32 {
	return []uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL, unix.SYS_CREATE_MODULE}
}
