//go:build linux

package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func files() map[string]attempt {
	return map[string]attempt{
		"open":   func(args []string) error { _, err := os.OpenFile(args[1], mode(args[0]), 0); return err },
		"handle": handle,
		"watch":  watch,
		"chmod2": func(args []string) error {
			return one(unix.SYS_FCHMODAT2, atCWD(), text(args[0]), uintptr(number(args, 1)), 0)
		},
		"create": func(args []string) error {
			_, err := unix.Open(args[0], unix.O_CREAT|unix.O_WRONLY|unix.O_EXCL, uint32(number(args, 1)))
			return err
		},
		"openat2": func(args []string) error {
			_, err := unix.Openat2(unix.AT_FDCWD, args[0], &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY | unix.O_EXCL, Mode: uint64(number(args, 1))})
			return err
		},
		"mknod":      func(args []string) error { return unix.Mknod(args[0], uint32(number(args, 1)), number(args, 2)) },
		"xattr":      func(args []string) error { return unix.Setxattr(args[0], args[1], []byte(args[2]), 0) },
		"capability": capability,
		"immutable":  immutable,
	}
}

func mode(letter string) int {
	if letter == "w" {
		return os.O_WRONLY
	}
	return os.O_RDONLY
}

// handle prints a file by its handle, KIND:HEX, which somebody outside has taken.
func handle(args []string) error {
	kind, bytes, _ := strings.Cut(args[0], ":")
	k, err := strconv.Atoi(kind)
	if err != nil {
		return err
	}
	raw, err := hex.DecodeString(bytes)
	if err != nil {
		return err
	}
	here, err := unix.Open(".", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	fd, err := unix.OpenByHandleAt(here, unix.NewFileHandle(int32(k), raw), unix.O_RDONLY)
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, os.NewFile(uintptr(fd), "handle"))
	return err
}

func watch(args []string) error {
	fd, err := unix.InotifyInit1(0)
	if err != nil {
		return err
	}
	_, err = unix.InotifyAddWatch(fd, args[0], unix.IN_ALL_EVENTS)
	return err
}

// capability gives a file the right to override permissions.
func capability(args []string) error {
	rights := []byte{1, 0, 0, 2, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} // VFS_CAP_REVISION_2, CAP_DAC_OVERRIDE
	return unix.Setxattr(args[0], "security.capability", rights, 0)
}

// immutableFlag is FS_IMMUTABLE_FL of linux/fs.h.
const immutableFlag = 0x10

// immutable makes a file one that nobody can change or remove any more, and undoes it.
func immutable(args []string) error {
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return fmt.Errorf("reading flags: %w", err)
	}
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|immutableFlag); err != nil {
		return err
	}
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)
}
