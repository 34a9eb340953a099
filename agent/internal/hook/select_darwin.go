package hook

import (
	"syscall"
	"time"
)

// selectStdin waits until descriptor 0 can be read or has ended.
func selectStdin(limit time.Duration) (ready bool, err error) {
	stdin := syscall.FdSet{Bits: [32]int32{1}}
	timeout := syscall.NsecToTimeval(limit.Nanoseconds())
	err = syscall.Select(1, &stdin, nil, nil, &timeout)
	return err == nil && stdin.Bits[0] != 0, err
}
