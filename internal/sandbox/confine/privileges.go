//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The securebits of capabilities(7): user 0 is a user like others, for good.
const securebits = 1<<0 | 1<<1 | // NOROOT and its lock
	1<<2 | 1<<3 | // NO_SETUID_FIXUP and its lock
	1<<5 | // KEEP_CAPS' lock
	1<<6 | 1<<7 // NO_CAP_AMBIENT_RAISE and its lock

// dropPrivileges takes all capabilities from the process, keeps the command from getting any again, and keeps others of the same user out of
// the process's memory. Only the thread that starts the command runs programs, so only that one needs the bits that count then; each
// call on all threads takes 0.2 ms.
func dropPrivileges(p *Plan) error {
	if p.Full { // else there may be no SETPCAP
		if err := unix.Prctl(unix.PR_SET_SECUREBITS, securebits, 0, 0, 0); err != nil {
			return fmt.Errorf("setting the securebits: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clearing the ambient capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("setting no_new_privs: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("dropping the capabilities: %w", err)
	}
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// dropCapabilities drops those of all threads; in a program with C code those of this one, see the package comment.
func dropCapabilities() error {
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	none := new([2]unix.CapUserData)
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(header)), uintptr(unsafe.Pointer(none)), 0)
	if errno == syscall.ENOTSUP {
		return unix.Capset(header, &none[0])
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// Limits of a command's processes that nobody sets otherwise.
const (
	fileBytes = 4 << 30 // of one file
	openFiles = 16384
)

// limit sets the limits of the process, which the command inherits. RLIMIT_CORE is 1, not 0: with 0 a core handler behind a pipe still runs.
// RLIMIT_NPROC counts all tasks of the user that are in this user namespace, so without one of its own those that are there already come on
// top. It does not bind user 0.
func limit(p *Plan) error {
	tasks := uint64(p.Processes * tasksEach)
	if !p.Full {
		others, err := tasksOf(os.Geteuid())
		if err != nil {
			return fmt.Errorf("counting the user's processes: %w", err)
		}
		tasks += uint64(others)
	}
	for resource, most := range map[int]uint64{unix.RLIMIT_CORE: 1, unix.RLIMIT_FSIZE: fileBytes, unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_NPROC: tasks} {
		var now unix.Rlimit
		if err := unix.Getrlimit(resource, &now); err != nil {
			return err
		}
		now.Max = min(now.Max, most)
		now.Cur = min(now.Cur, now.Max)
		if err := unix.Setrlimit(resource, &now); err != nil {
			return err
		}
	}
	return nil
}

// tasksOf counts the processes and threads of a user. What ends meanwhile does not count.
func tasksOf(uid int) (int, error) {
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	count := 0
	for _, process := range processes {
		info, err := process.Info()
		if err != nil {
			continue
		}
		if stat, is := info.Sys().(*syscall.Stat_t); !is || int(stat.Uid) != uid {
			continue
		}
		threads, err := os.ReadDir("/proc/" + process.Name() + "/task")
		if err != nil {
			continue
		}
		count += len(threads)
	}
	return count, nil
}
