//go:build linux

package escape

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// prepare does the steps of a place, and gives up the rights to them. The process is in namespaces of its own.
func prepare(steps []Step) error {
	for _, step := range steps {
		if err := do(step); err != nil {
			return fmt.Errorf("preparing %s: %w", step, err)
		}
	}
	if len(steps) == 0 || os.Geteuid() == 0 {
		return nil // root has its rights by its uid
	}
	// Children must not inherit them. The threads of this process keep theirs, which nothing here uses.
	runtime.LockOSThread()
	return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}

func do(step Step) error {
	switch step {
	case NoUserNamespaces:
		return os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)
	case MaskedProc:
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return err
		}
		return unix.Mount("tmpfs", "/proc/fs", "tmpfs", unix.MS_RDONLY, "size=0k")
	case NoSetgroups:
		return nil // attributes has seen to it
	}
	return fmt.Errorf("there is no such step")
}
