//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

func namespaces() map[string]attempt {
	return map[string]attempt{
		"unshare": func(args []string) error { return calls(call{unix.SYS_UNSHARE, uintptr(number(args, 0))}) },
		"clone": func(args []string) error {
			return calls(call{unix.SYS_CLONE, uintptr(number(args, 0)) | uintptr(unix.SIGCHLD)})
		},
		"clone3": clone3,
		"setns":  setns,
		"join":   join,
		"chroot": func(args []string) error { return calls(call{unix.SYS_CHROOT, text(args[0])}) },
		"pivot":  func(args []string) error { return calls(call{unix.SYS_PIVOT_ROOT, text(args[0]), text(args[0])}) },
	}
}

func clone3(args []string) error {
	a := struct {
		flags, pidfd, childTID, parentTID, exit, stack, stackSize, tls, setTID, setTIDSize, cgroup uint64
	}{flags: uint64(number(args, 0)), exit: uint64(unix.SIGCHLD)}
	err := calls(call{unix.SYS_CLONE3, uintptr(unsafe.Pointer(&a)), unsafe.Sizeof(a)})
	runtime.KeepAlive(&a)
	return err
}

// setns joins the namespace that a file of /proc stands for.
func setns(args []string) error {
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	return calls(call{unix.SYS_SETNS, f.Fd(), 0})
}

// join joins the mount namespace of a process, by its descriptor.
func join(args []string) error {
	fd, err := unix.PidfdOpen(number(args, 0), 0)
	if err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	return calls(call{unix.SYS_SETNS, uintptr(fd), unix.CLONE_NEWNS})
}

func mounts() map[string]attempt {
	return map[string]attempt{
		"mount": func(args []string) error {
			return calls(call{unix.SYS_MOUNT, text("tmpfs"), text(args[0]), text("tmpfs")})
		},
		"bind": func(args []string) error {
			return calls(call{unix.SYS_MOUNT, text(args[0]), text(args[1]), 0, unix.MS_BIND | unix.MS_REC})
		},
		"remount": func(args []string) error {
			return calls(call{unix.SYS_MOUNT, 0, text(args[0]), 0, unix.MS_BIND | unix.MS_REMOUNT})
		},
		"unmount": func(args []string) error { return calls(call{unix.SYS_UMOUNT2, text(args[0]), unix.MNT_DETACH}) },
		"fsopen":  func([]string) error { return one(unix.SYS_FSOPEN, text("tmpfs"), 0) },
		"open-tree": func(args []string) error {
			return one(unix.SYS_OPEN_TREE, atCWD(), text(args[0]), unix.OPEN_TREE_CLONE|unix.AT_RECURSIVE)
		},
		"mount-setattr": func(args []string) error {
			return unix.MountSetattr(unix.AT_FDCWD, args[0], 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		},
	}
}

func atCWD() uintptr {
	here := unix.AT_FDCWD
	return uintptr(here)
}
