package wasmtest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns what a process has taken so far.
func processorTime(pid int, _ time.Time) (time.Duration, error) {
	const cpu = 2 // the clock of a whole process, in clock_gettime's numbers for those of others
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|cpu), &t)
	return time.Duration(t.Nano()), err
}
