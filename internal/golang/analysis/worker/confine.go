package worker

import (
	"errors"

	"golang.org/x/sys/unix"

	sandbox "tidepool/internal/sandbox/confine"
)

// openFiles are those that are parsed at once, and what the process needs itself.
const openFiles = 512

// confine has the kernel refuse what reading source files does not need: written files, sockets, other processes, core dumps.
func confine() error {
	if err := sandbox.Self([]string{"/"}); err != nil {
		return err
	}
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: openFiles, Max: openFiles}),
	)
}
