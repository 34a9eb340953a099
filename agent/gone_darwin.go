package main

import (
	"os"
	"syscall"
)

// stdoutGone reports whether nobody can read stdout any more. select(2) finds
// the end of a pipe or a socket that is written to readable only then.
func stdoutGone() bool {
	info, err := os.Stdout.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return err != nil
	}
	stdout := syscall.FdSet{Bits: [32]int32{1 << 1}}
	err = syscall.Select(2, &stdout, nil, nil, &syscall.Timeval{})
	return err == nil && stdout.Bits[0] != 0 || err != nil && err != syscall.EINTR
}
