package conversation

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// yield lowers the priority of the thread that the goroutine is bound to. The thread ends with the goroutine: a priority that was lowered
// cannot be raised again.
func yield() (undo func()) {
	const lower = 10
	if unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), lower) != nil {
		return runtime.UnlockOSThread
	}
	return func() {}
}
