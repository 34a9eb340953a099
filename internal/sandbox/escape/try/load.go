//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// held is how long a load lasts before it counts as let through: a watcher that looks now and then has seen it.
const held = time.Second

// The loads take a size. What they print after "through" was there for the time held.
func loads() map[string]attempt {
	return map[string]attempt{
		"children": children,
		"threads":  threads,
		"memory":   memory,
		"memfds":   memfds,
		"segments": segments,
	}
}

// children has so many processes at once.
func children(args []string) error {
	var pids []int
	defer func() {
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, 0, nil)
		}
	}()
	for range number(args, 0) {
		pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno != 0 {
			return fmt.Errorf("after %d: %w", len(pids), errno)
		}
		if pid == 0 {
			for {
				syscall.RawSyscall(unix.SYS_PPOLL, 0, 0, 0)
			}
		}
		pids = append(pids, int(pid))
	}
	time.Sleep(held)
	return nil
}

// threads has so many threads at once. Go ends the program if it cannot have one.
func threads(args []string) error {
	ready := make(chan bool)
	for range number(args, 0) {
		go func() {
			runtime.LockOSThread()
			ready <- true
			_ = unix.Nanosleep(&unix.Timespec{Sec: 3600}, nil)
		}()
		<-ready
	}
	time.Sleep(held)
	return nil
}

// megabyte is a million and some bytes of something other than zeros.
func megabyte() []byte {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(i | 1)
	}
	return data
}

// memory has so many megabytes in use.
func memory(args []string) error {
	all, err := unix.Mmap(-1, 0, number(args, 0)<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	for i := 0; i < len(all); i += os.Getpagesize() {
		all[i] = 1
	}
	time.Sleep(held)
	return nil
}

// memfds has so many megabytes in files without a name, 16 in each, none of them mapped.
func memfds(args []string) error {
	data := megabyte()
	for i := range number(args, 0) / 16 {
		fd, err := unix.MemfdCreate("load", 0)
		if err != nil {
			return fmt.Errorf("after %d: %w", i*16, err)
		}
		for range 16 {
			if _, err := unix.Write(fd, data); err != nil {
				return fmt.Errorf("after %d: %w", i*16, err)
			}
		}
	}
	time.Sleep(held)
	return nil
}

// segments has so many megabytes in segments of System V, 16 in each, none of them attached.
func segments(args []string) error {
	for i := range number(args, 0) / 16 {
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 16<<20, unix.IPC_CREAT|0o600)
		if err != nil {
			return fmt.Errorf("after %d: %w", i*16, err)
		}
		defer unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		memory, err := unix.SysvShmAttach(id, 0, 0)
		if err != nil {
			return err
		}
		for at := 0; at < len(memory); at += os.Getpagesize() {
			memory[at] = 1
		}
		if err := unix.SysvShmDetach(memory); err != nil {
			return err
		}
	}
	time.Sleep(held)
	return nil
}
