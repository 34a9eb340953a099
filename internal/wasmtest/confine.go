package wasmtest

import (
	"errors"

	"golang.org/x/sys/unix"
)

// openFiles are those of the module that are open at once, and what the process needs itself.
const openFiles = 512

// confine has the kernel refuse what a sandbox has no need of: to write to a file, to leave a core, to open files without end, to
// run for more than so many seconds.
func confine(seconds int64) error {
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: uint64(seconds), Max: uint64(seconds)}),
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: openFiles, Max: openFiles}),
	)
}
