package hook

import (
	"syscall"
	"time"
)

// selectStdin waits until descriptor 0 can be read or has ended.
func selectStdin(limit time.Duration) (ready bool, err error) {
	stdin := syscall.FdSet{Bits: [16]int64{1}}
	timeout := syscall.NsecToTimeval(limit.Nanoseconds())
	n, err := syscall.Select(1, &stdin, nil, nil, &timeout)
	return n > 0, err
}
