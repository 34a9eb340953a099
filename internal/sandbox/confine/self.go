//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Self confines the process that calls it, with all its threads, for good: it reads what is listed, and files that are open already, writes
// nothing but to those, makes no sockets, and touches no other process. It is a second wall for a process that runs foreign code by
// other means. Where the kernel has no Landlock, and in a program with C code, which cannot set that on all threads, the filter alone counts.
func Self(read []string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("setting no_new_privs: %w", err)
	}
	version, set := LandlockVersion(), -1
	if version > 0 { // before the filter, which refuses openat2
		var err error
		if set, err = ruleset(version, read, nil); err != nil {
			return err
		}
		defer unix.Close(set)
	}
	// The filter passes no_new_privs on to the other threads, which Landlock asks for.
	if err := install(filter(&Plan{self: true}, version), unix.SECCOMP_FILTER_FLAG_TSYNC); err != nil || version == 0 {
		return err
	}
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0)
	if errno != 0 && !errors.Is(errno, syscall.ENOTSUP) {
		return fmt.Errorf("entering the domain: %w", errno)
	}
	return nil
}
