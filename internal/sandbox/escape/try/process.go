//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The attempts on another process take its id first.
func processes() map[string]attempt {
	return map[string]attempt{
		"victim":       victim,
		"ptrace":       ptrace,
		"read-memory":  readMemory,
		"write-memory": writeMemory,
		"mem-file":     memFile,
		"take-fd":      takeFD,
		"signal":       signal,
		"limit-other": func(args []string) error {
			return unix.Prlimit(number(args, 0), unix.RLIMIT_NOFILE, nil, new(unix.Rlimit))
		},
		"nice-other": func(args []string) error { return unix.Setpriority(unix.PRIO_PROCESS, number(args, 0), 19) },
		"pin-other": func(args []string) error {
			var set unix.CPUSet
			set.Set(0)
			return unix.SchedSetaffinity(number(args, 0), &set)
		},
		"compare-other": func(args []string) error {
			return one(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(number(args, 0)), 1, 0, 0)
		},
		"orphan": orphan,
		"memfd":  memfd,
	}
}

// victim is the process outside. It prints the address of a secret in its memory and the number of an open file with another, and
// the memory's text when its input ends.
func victim(args []string) error {
	// Yama lets nobody but a parent look at a process that does not ask for it.
	if err := unix.Prctl(unix.PR_SET_PTRACER, ^uintptr(0), 0, 0, 0); err != nil && err != unix.EINVAL {
		return err
	}
	secret, err := io.ReadAll(io.LimitReader(os.Stdin, 32))
	if err != nil {
		return err
	}
	memory, err := unix.Mmap(-1, 0, len(secret), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	copy(memory, secret)
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Println(uintptr(unsafe.Pointer(&memory[0])), f.Fd())
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	fmt.Println(string(memory))
	return nil
}

func ptrace(args []string) error {
	runtime.LockOSThread() // the thread that traces is the one that ends it
	pid := number(args, 0)
	if err := one(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, 0); err != nil {
		return err
	}
	return nil
}

func readMemory(args []string) error {
	here := make([]byte, 32)
	local := []unix.Iovec{{Base: &here[0], Len: uint64(len(here))}}
	n, err := unix.ProcessVMReadv(number(args, 0), local, []unix.RemoteIovec{{Base: uintptr(number(args, 1)), Len: len(here)}}, 0)
	if err != nil {
		return err
	}
	fmt.Println(string(here[:n]))
	return nil
}

func writeMemory(args []string) error {
	here := []byte("overwritten by somebody else....")
	local := []unix.Iovec{{Base: &here[0], Len: uint64(len(here))}}
	_, err := unix.ProcessVMWritev(number(args, 0), local, []unix.RemoteIovec{{Base: uintptr(number(args, 1)), Len: len(here)}}, 0)
	return err
}

func memFile(args []string) error {
	f, err := os.OpenFile("/proc/"+args[0]+"/mem", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if len(args) == 1 {
		return nil
	}
	here := make([]byte, 32)
	if _, err := f.ReadAt(here, int64(number(args, 1))); err != nil {
		return err
	}
	fmt.Println(string(here))
	return nil
}

func takeFD(args []string) error {
	other, err := unix.PidfdOpen(number(args, 0), 0)
	if err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	fd, err := unix.PidfdGetfd(other, number(args, 1), 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, io.NewSectionReader(os.NewFile(uintptr(fd), "taken"), 0, 1024))
	return err
}

func signal(args []string) error {
	other, err := unix.PidfdOpen(number(args, 0), 0)
	if err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	return unix.PidfdSendSignal(other, unix.SIGKILL, nil, 0)
}

// orphan starts sleep in a session of its own, without the death signal of a parent and without open files, and leaves it. A first
// process of its own adopts the second one and ends, too.
func orphan(args []string) error {
	if len(args) == 1 {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return err
		}
		again := exec.Command("/proc/self/exe", "orphan", args[0], "child")
		again.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return again.Run() // until the last one runs: who looks for it must not look too early
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0); err != nil {
		return err
	}
	left := exec.Command("sleep", args[0])
	left.Env, left.SysProcAttr = []string{}, &syscall.SysProcAttr{Setsid: true}
	return left.Start()
}

// memfd runs a shell line by a copy of the shell that has no path.
func memfd(args []string) error {
	shell, err := os.ReadFile("/bin/sh")
	if err != nil {
		return err
	}
	fd, err := unix.MemfdCreate("shell", 0)
	if err != nil {
		return err
	}
	if _, err := unix.Write(fd, shell); err != nil {
		return err
	}
	return unix.Exec("/proc/self/fd/"+strconv.Itoa(fd), []string{"sh", "-c", args[0]}, os.Environ())
}
