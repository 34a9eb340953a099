//go:build linux

package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

func kernel() map[string]attempt {
	return map[string]attempt{
		"io_uring": func([]string) error {
			var parameters [120]byte
			return one(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)))
		},
		"userfaultfd": func([]string) error { return one(unix.SYS_USERFAULTFD, 1) }, // 1: of user mode only
		"bpf": func([]string) error {
			array := struct{ kind, key, value, entries uint32 }{2, 4, 4, 1}
			return one(unix.SYS_BPF, unix.BPF_MAP_CREATE, uintptr(unsafe.Pointer(&array)), unsafe.Sizeof(array))
		},
		"perf": func([]string) error {
			_, err := unix.PerfEventOpen(&unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK,
				Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Bits: unix.PerfBitDisabled | unix.PerfBitExcludeKernel}, 0, -1, -1, 0)
			return err
		},
		"fanotify": func([]string) error { return one(unix.SYS_FANOTIFY_INIT, unix.FAN_CLASS_CONTENT, 0) },
		// Calls with a wrong argument: who may not make them is told so before.
		"module": func([]string) error { return accepts(one(unix.SYS_FINIT_MODULE, ^uintptr(0), 0, 0), unix.EBADF) },
		"swapon": func([]string) error { return accepts(one(unix.SYS_SWAPON, text("/no/such/file"), 0), unix.ENOENT) },
		"reboot": func([]string) error { return accepts(one(unix.SYS_REBOOT, 0, 0, 0), unix.EINVAL) },
		"dmesg": func([]string) error {
			_, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, make([]byte, 4096))
			return err
		},
		"clock": clock,
		"host":  host,
		"add-key": func([]string) error {
			_, err := unix.AddKey("user", "tidepool-escape", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
			return err
		},
		"keyring": func([]string) error {
			_, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0)
			return err
		},
		"key":     key,
		"int80":   func([]string) error { return int80() },
		"x32":     func([]string) error { return calls(call{unix.SYS_GETPID | 0x40000000}) },
		"tiocsti": tiocsti,
	}
}

// clock sets the length of the clock's tick to what it is.
func clock([]string) error {
	var now unix.Timex
	if _, err := unix.Adjtimex(&now); err != nil {
		return err
	}
	_, err := unix.Adjtimex(&unix.Timex{Modes: unix.ADJ_TICK, Tick: now.Tick})
	return err
}

// host gives the machine the name that it has.
func host([]string) error {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	return unix.Sethostname([]byte(unix.ByteSliceToString(name.Nodename[:])))
}

// key prints the value of a key in the user's keyring.
func key(args []string) error {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", args[0], 0)
	if err != nil {
		return err
	}
	value := make([]byte, 64)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, value, 0)
	if err != nil {
		return err
	}
	fmt.Println(string(value[:min(n, len(value))]))
	return nil
}

// tiocsti types a letter into a terminal of its own.
func tiocsti([]string) error {
	master, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	slave, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(master), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY)
	if errno != 0 {
		return errno
	}
	letter := byte('x')
	err = calls(call{unix.SYS_SETSID}, call{unix.SYS_IOCTL, slave, unix.TIOCSCTTY, 0},
		call{unix.SYS_IOCTL, slave, unix.TIOCSTI, uintptr(unsafe.Pointer(&letter))})
	runtime.KeepAlive(&letter)
	return err
}
