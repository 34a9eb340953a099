package measure

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// CPUOf returns the processor time of a process so far, to the nanosecond: of its threads, those that have ended too, not of its children.
func CPUOf(pid int) (time.Duration, error) {
	const scheduler = 2 // the kind of clock, see clock_getcpuclockid(3)
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &used); err != nil {
		return 0, fmt.Errorf("reading the processor time of process %d: %w", pid, err)
	}
	return time.Duration(used.Nano()), nil
}
