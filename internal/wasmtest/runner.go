package wasmtest

import (
	"context"
	"errors"
	"time"
)

// A Runner runs tests. The zero value works where [Serve] is what the program does when it is started with the
// argument run-tests.
type Runner struct {
	Program []string // the program whose standard input and output Serve gets, with its arguments; nil: this one with run-tests
	Env     []string // what the go command is looked up in; nil: this process's
	// Temp is a directory of the runner's own, which is made and removed by Run. What a killed process has left in it is
	// removed, too. "": a new one where the system has such.
	Temp   string
	Bounds Bounds
}

// Bounds limit what tests may take. A zero field means the default.
type Bounds struct {
	Test    time.Duration // processor time of one test; 10 s
	Package time.Duration // processor time of all tests of a package; 2 min
	Build   time.Duration // real time to build a package's tests; 10 min
	Memory  int64         // bytes that a test may occupy; 512 MiB
	Files   int64         // bytes that a test may write, to files that only it sees; 64 MiB, of which 16 MiB in one file
}

// Run builds the tests of packages, in this order, and runs each test alone. Packages are absolute directories; none
// means all of the module. It calls each and failed in its own goroutine as things become known; a package without tests
// gives neither. An error says that nothing could be done at all; ctx ended is one.
func (r *Runner) Run(ctx context.Context, module string, packages []string, each func(Result), failed func(Failure)) error {
	return errors.ErrUnsupported
}
