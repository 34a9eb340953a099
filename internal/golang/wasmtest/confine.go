package wasmtest

import (
	"errors"

	"golang.org/x/sys/unix"
)

// openFiles are those of the module that are open at once, and what the process needs itself.
const openFiles = 512

// overhead is how much memory the process may take besides that of a guest, in bytes. Measured: translating 14 MB of WebAssembly
// with one very long function in it takes 0.8 GB.
const overhead = 3 << 29

// confine sets the kernel's limits for what a sandbox does not need: writing to files, core dumps, open files, processor time beyond
// so many seconds, and memory.
func confine(o order) error {
	seconds, memory := uint64(o.CPU), uint64(o.Memory+overhead)
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}),
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}),
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: openFiles, Max: openFiles}),
	)
}
