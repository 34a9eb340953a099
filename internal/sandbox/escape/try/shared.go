//go:build linux

package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The attempts on memory and messages that processes of different namespaces must not share print what they have read.
func shared() map[string]attempt {
	return map[string]attempt{
		"shm": shm,
		"sem": func(args []string) error { return one(unix.SYS_SEMGET, uintptr(number(args, 0)), 0, 0) },
		"msg": msg,
		"mq":  mq,
	}
}

func shm(args []string) error {
	id, err := unix.SysvShmGet(number(args, 0), 32, 0)
	if err != nil {
		return err
	}
	memory, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return err
	}
	fmt.Println(string(memory[:32]))
	return nil
}

func msg(args []string) error {
	id, _, errno := unix.Syscall(unix.SYS_MSGGET, uintptr(number(args, 0)), 0, 0)
	if errno != 0 {
		return errno
	}
	m := struct {
		kind int64
		text [32]byte
	}{}
	_, _, errno = unix.Syscall6(unix.SYS_MSGRCV, id, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m.text), 0, unix.IPC_NOWAIT, 0)
	if errno != 0 {
		return errno
	}
	fmt.Println(string(m.text[:]))
	return nil
}

func mq(args []string) error {
	fd, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, text(args[0]), unix.O_RDONLY|unix.O_NONBLOCK, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	message := make([]byte, 8192)
	n, _, errno := unix.Syscall6(unix.SYS_MQ_TIMEDRECEIVE, fd, uintptr(unsafe.Pointer(&message[0])), uintptr(len(message)), 0, 0, 0)
	runtime.KeepAlive(message)
	if errno != 0 {
		return errno
	}
	fmt.Println(string(message[:n]))
	return nil
}
