package wasmtest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"tidepool/internal/state"
	"tidepool/internal/wording"
)

// Subcommand is the argument with which a program is started so that it calls [Serve].
const Subcommand = "run-tests"

// A Runner runs tests. The zero value works in a program that calls [Serve] when it is started with [Subcommand].
type Runner struct {
	Program []string // the program that calls Serve, with its arguments; nil: this one
	// Temp is a directory of the runner's own, made and removed by Run with all that is in it, such as what a killed
	// process has left. "": a new one each time, where the system has such.
	Temp   string
	Bounds Bounds
	Nice   int           // the niceness of its programs, 0 to 19
	Spent  time.Duration // processor time that its programs have taken so far: Run adds to it, one at a time
}

// Bounds are the limits of time and memory of tests. A zero field means the default.
type Bounds struct {
	Test    time.Duration // processor time of one test; 10 s. Where there is no parent-death signal it is real time
	Package time.Duration // the same, of all tests of a package with the translation to machine code; 2 min
	Build   time.Duration // real time to build a package's tests; 10 min
	Memory  int64         // bytes that a test may occupy; 512 MiB
	Files   int64         // bytes that a test may write, to files that only it sees; 64 MiB, of which 16 MiB to one
}

func (b Bounds) defaults() Bounds {
	return Bounds{
		Test:    cmp.Or(b.Test, 10*time.Second),
		Package: cmp.Or(b.Package, 2*time.Minute),
		Build:   cmp.Or(b.Build, 10*time.Minute),
		Memory:  cmp.Or(b.Memory, 512<<20),
		Files:   cmp.Or(b.Files, 64<<20),
	}
}

// Run builds the tests of packages, in this order, and runs each test alone. Packages are absolute directories; nil means
// all of the module. It calls each and failed in its own goroutine as results come; for a package without tests it calls neither.
// An error means that it could do nothing, or that ctx has ended. It leaves no process and no file.
func (r *Runner) Run(ctx context.Context, module string, packages []string, each func(Result), failed func(Failure)) error {
	module = filepath.Clean(module)
	temp, err := r.temporary()
	if err != nil {
		return fmt.Errorf("making a directory to build tests in: %w", err)
	}
	defer discard(temp)
	golang, err := findGo(ctx, module, temp, r)
	if err != nil {
		return err
	}
	list, err := golang.list(ctx)
	if err != nil {
		return err
	}
	program, err := r.program()
	if err != nil {
		return err
	}
	j := &job{runner: r, program: program, bounds: r.Bounds.defaults(), temp: temp, golang: golang, where: newDeclarations(list), each: each, failed: failed}
	for _, p := range j.wanted(list, packages) {
		if err := j.measure(ctx, p); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return context.Cause(ctx)
}

// wanted returns the packages that have tests, in the order in which they are to be run. It tells of those that there are not.
func (j *job) wanted(list []goPackage, dirs []string) []goPackage {
	if dirs == nil {
		for _, p := range list {
			dirs = append(dirs, p.Dir)
		}
	}
	var wanted []goPackage
	for _, dir := range dirs {
		dir = filepath.Clean(dir)
		i := slices.IndexFunc(list, func(p goPackage) bool { return p.Dir == dir })
		switch {
		case i < 0:
			j.failed(Failure{Package: dir, Reason: "there is no package of the module that could be built for WebAssembly"})
		case list[i].Error != nil && len(list[i].GoFiles) == 0:
			j.failed(Failure{Package: dir, Reason: wording.OneLine(list[i].Error.Err)})
		case len(list[i].TestGoFiles)+len(list[i].XTestGoFiles) > 0:
			wanted = append(wanted, list[i])
		}
	}
	return wanted
}

// temporary makes the directory for the binaries. The go command and the sandbox receive its path.
func (r *Runner) temporary() (string, error) {
	if r.Temp == "" {
		return os.MkdirTemp("", "tidepool-tests-")
	}
	above, err := state.Around(r.Temp)
	if err != nil {
		return "", err
	}
	defer above.Close()
	dir := above.Sub(filepath.Base(r.Temp))
	if err := dir.Clear(); err != nil {
		return "", err
	}
	return dir.Lasting()
}

// discard removes the directory. The next run removes what could not be removed now.
func discard(temp string) {
	if above, err := state.Around(temp); err == nil {
		_ = above.Sub(filepath.Base(temp)).Clear()
		_ = above.Close()
	}
}

// program returns what runs tests.
func (r *Runner) program() ([]string, error) {
	if r.Program != nil {
		return r.Program, nil
	}
	if runtime.GOOS == "linux" {
		return []string{"/proc/self/exe", Subcommand}, nil // even if another one has taken its place
	}
	path, err := os.Executable()
	return []string{path, Subcommand}, err
}
