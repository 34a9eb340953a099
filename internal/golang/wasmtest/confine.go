package wasmtest

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"

	"tidepool/internal/sandbox/confine"
)

// openFiles are those of the module that are open at once, and what the process needs itself.
const openFiles = 512

// overhead is how much memory the process may take besides that of a guest, in bytes. Measured: translating 14 MB of WebAssembly
// with one very long function in it takes 0.8 GB.
const overhead = 3 << 29

// restrict has the kernel refuse what the process does not need, should a guest ever get out of WebAssembly: all files but the module
// and the binary, sockets, and other processes. Besides, it limits written files, core dumps, open files, processor time to so many
// seconds, and memory.
func restrict(o order) error {
	module, err := filepath.EvalSymlinks(o.Module)
	if err != nil {
		return err
	}
	binary, err := filepath.EvalSymlinks(o.Binary)
	if err != nil {
		return err
	}
	if err := confine.Self([]string{module, binary}); err != nil {
		return err
	}
	seconds, memory := uint64(o.CPU), uint64(o.Memory+overhead)
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}),
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}),
		unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: openFiles, Max: openFiles}),
	)
}
