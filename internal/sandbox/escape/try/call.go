//go:build linux

package main

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A call is the number of a system call and its arguments.
type call [7]uintptr

// calls makes system calls, one after the other, in a process with one thread: unshare and setns refuse others. It returns the
// first error.
func calls(list ...call) error {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		for _, c := range list {
			if _, _, errno := syscall.RawSyscall6(c[0], c[1], c[2], c[3], c[4], c[5], c[6]); errno != 0 {
				syscall.RawSyscall(unix.SYS_EXIT_GROUP, uintptr(errno), 0, 0)
			}
		}
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(int(pid), &status, 0, nil); err != nil {
		return err
	}
	runtime.KeepAlive(list)
	switch {
	case status.Signaled():
		return fmt.Errorf("killed by %v", status.Signal())
	case status.ExitStatus() != 0:
		return syscall.Errno(status.ExitStatus())
	}
	return nil
}

// one makes a system call in this process.
func one(number uintptr, args ...uintptr) error {
	var c call
	copy(c[:], args)
	if _, _, errno := unix.Syscall6(number, c[0], c[1], c[2], c[3], c[4], c[5]); errno != 0 {
		return errno
	}
	return nil
}

// text returns the address of a copy of s that ends with a zero byte, in memory that the collector does not own.
func text(s string) uintptr {
	page, err := unix.Mmap(-1, 0, len(s)+1, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	copy(page, s)
	return uintptr(unsafe.Pointer(&page[0]))
}

// accepts returns nil if err is one of these errors: the kernel has passed its check of rights and complains about an argument, which
// is wrong on purpose.
func accepts(err error, complaints ...syscall.Errno) error {
	for _, c := range complaints {
		if errors.Is(err, c) {
			return nil
		}
	}
	return err
}
