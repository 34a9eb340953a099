package wasmtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	wasys "github.com/tetratelabs/wazero/sys"

	"tidepool/internal/wording"
)

// Directories of a guest besides the module, which has its real path.
const (
	coverDir = "/cover"
	tempDir  = "/tmp"
)

const (
	pageSize  = 64 << 10 // bytes of WebAssembly's memory
	coverRoom = 64 << 20 // bytes of coverage data
)

// interpreting is how much processor time tests may take before the binary is translated after all: about what that takes.
const interpreting = 3 * time.Second

// A sandbox runs a test binary repeatedly, each time from its beginning.
type sandbox struct {
	order       order
	names       *regexp.Regexp // of what is a test
	root        *os.Root
	interpreted bool
	left        time.Duration // processor time for interpreting
	runtime     wazero.Runtime
	code        wazero.CompiledModule
}

// newSandbox makes the binary that an order names ready to run. Measured with the 8 MB of a small package: 0.3 s, and 70 ms for a test,
// when it is interpreted; 2.4 s, and 15 ms, when it is translated to machine code. A test that works hard takes fifty times as long.
func newSandbox(ctx context.Context, o order) (*sandbox, error) {
	root, err := os.OpenRoot(o.Module)
	if err != nil {
		return nil, err
	}
	s := &sandbox{order: o, root: root, left: interpreting, names: regexp.MustCompile(`^(Test|Example|Fuzz)[\pL\p{Nd}_]*$`)}
	if err := s.load(ctx, o.Few); err != nil {
		return nil, errors.Join(fmt.Errorf("loading its WebAssembly: %w", err), s.close(ctx))
	}
	return s, nil
}

func (s *sandbox) load(ctx context.Context, interpret bool) error {
	binary, err := os.ReadFile(s.order.Binary)
	if err != nil {
		return err
	}
	// Native code would ask at every turn of a loop whether the context is done, and take two to three times as long: its time is
	// watched from outside.
	config := wazero.NewRuntimeConfig()
	if interpret {
		config = wazero.NewRuntimeConfigInterpreter().WithCloseOnContextDone(true)
	}
	s.interpreted = interpret
	s.runtime = wazero.NewRuntimeWithConfig(ctx, config.WithMemoryLimitPages(uint32(s.order.Memory/pageSize)))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, s.runtime); err != nil {
		return err
	}
	s.code, err = s.runtime.CompileModule(ctx, binary)
	return err
}

// translate switches from the interpreter to machine code.
func (s *sandbox) translate(ctx context.Context) error {
	return errors.Join(s.runtime.Close(ctx), s.load(ctx, false))
}

func (s *sandbox) close(ctx context.Context) error {
	err := s.root.Close()
	if s.runtime != nil {
		err = errors.Join(err, s.runtime.Close(ctx))
	}
	return err
}

// A run is the outcome of one run of the binary.
type run struct {
	err   error // nil: it left with status 0
	out   *output
	cover *memory
}

// test runs one test. The directory for coverage has the files that are given. Again says that the binary has to be translated for
// it, and the test run again.
func (s *sandbox) test(ctx context.Context, name string, cover map[string][]byte) (r run, again bool) {
	if s.interpreted {
		limited, cancel := withinProcessorTime(ctx, s.left)
		defer cancel()
		began := ownTime()
		defer func() { s.left -= ownTime() - began }()
		ctx = limited
	}
	r = s.run(ctx, &output{test: name}, cover,
		"-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.v=test2json", "-test.paniconexit0",
		"-test.timeout="+virtualTimeout, "-test.gocoverdir="+coverDir)
	return r, s.interpreted && (ctx.Err() != nil || !r.exited())
}

// virtualTimeout ends a test that waits for ever. No time passes while it does.
const virtualTimeout = "24h"

// run runs the binary with arguments.
func (s *sandbox) run(ctx context.Context, out *output, cover map[string][]byte, args ...string) run {
	c := newClock()
	files, room := s.order.Files, int64(coverRoom)
	r := run{out: out, cover: newMemory(&room, c.nanoseconds)}
	r.cover.secret = len(cover) > 0 // else the guest reads all that it has written, to print how much of the code ran
	for name, data := range cover {
		r.cover.put(name, data)
	}
	config := c.hand(wazero.NewModuleConfig()).
		WithName("").
		WithArgs(append([]string{"test"}, args...)...).
		WithEnv("PWD", s.order.Dir).WithEnv("TMPDIR", tempDir).WithEnv("HOME", tempDir).
		WithStdout(out).WithStderr(out).
		WithFSConfig(mounts(map[string]sys.FS{
			s.order.Module: readOnly(s.root),
			tempDir:        newMemory(&files, c.nanoseconds),
			coverDir:       r.cover,
		}))
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newPages))
	guest, err := s.runtime.InstantiateModule(ctx, s.code, config)
	if guest != nil {
		err = errors.Join(err, guest.Close(ctx))
	}
	out.end()
	r.err = err
	return r
}

func mounts(at map[string]sys.FS) wazero.FSConfig {
	config := wazero.NewFSConfig()
	for path, files := range at {
		config = config.(sysfs.FSConfig).WithSysFSMount(files, path)
	}
	return config
}

// list returns the names of all tests, examples and fuzz tests.
func (s *sandbox) list(ctx context.Context) ([]string, error) {
	r := s.run(ctx, &output{limit: outputKept}, nil, "-test.list=.")
	if r.err != nil {
		return nil, fmt.Errorf("listing its tests: %w", r.reason())
	}
	tests := []string{}
	for line := range strings.Lines(string(r.out.head)) {
		if name := strings.TrimSpace(line); s.names.MatchString(name) {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

// exited reports whether the program has ended by itself. The interpreter gives up at 2000 calls in each other.
func (r run) exited() bool {
	_, exited := errors.AsType[*wasys.ExitError](r.err)
	return exited || r.err == nil
}

// reason returns why a run has not gone well.
func (r run) reason() error {
	why := wording.OneLine(r.err.Error())
	if exit, ok := errors.AsType[*wasys.ExitError](r.err); ok {
		why = fmt.Sprintf("exit status %d", exit.ExitCode())
	}
	if words := r.out.words(); words != "" {
		why += ": " + words
	}
	return errors.New(why)
}
