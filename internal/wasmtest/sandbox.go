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
	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	wasys "github.com/tetratelabs/wazero/sys"
)

// Directories of a guest besides the module, which is where it really is.
const (
	coverDir = "/cover"
	tempDir  = "/tmp"
)

const (
	pageSize  = 64 << 10 // bytes of WebAssembly's memory
	coverRoom = 64 << 20 // bytes of coverage data
)

// A sandbox runs a test binary again and again, each time from its beginning.
type sandbox struct {
	order   order
	names   *regexp.Regexp // of what is a test
	root    *os.Root
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

// newSandbox compiles the binary that an order names.
func newSandbox(ctx context.Context, o order) (*sandbox, error) {
	root, err := os.OpenRoot(o.Module)
	if err != nil {
		return nil, err
	}
	s := &sandbox{order: o, root: root, names: regexp.MustCompile(`^(Test|Example|Fuzz)[\pL\p{Nd}_]*$`)}
	if err := s.compile(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("compiling its WebAssembly: %w", err), s.close(ctx))
	}
	return s, nil
}

func (s *sandbox) compile(ctx context.Context) error {
	binary, err := os.ReadFile(s.order.Binary)
	if err != nil {
		return err
	}
	s.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(s.order.Memory/pageSize)))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, s.runtime); err != nil {
		return err
	}
	s.code, err = s.runtime.CompileModule(ctx, binary)
	return err
}

func (s *sandbox) close(ctx context.Context) error {
	err := s.root.Close()
	if s.runtime != nil {
		err = errors.Join(err, s.runtime.Close(ctx))
	}
	return err
}

// A run is what became of a guest.
type run struct {
	err   error // nil: it left with status 0
	out   *output
	cover *memory
}

// run runs the binary with arguments. The directory for coverage has the files that are given.
func (s *sandbox) run(ctx context.Context, out *output, cover map[string][]byte, args ...string) run {
	c := &clock{begin: time.Now()}
	files, room := s.order.Files, int64(coverRoom)
	r := run{out: out, cover: newMemory(&room, c.nanoseconds)}
	r.cover.secret = true // the guest would read all that it has written, to print how much of the code ran
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

// list gives the names of all tests, examples and fuzz tests.
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

// reason says why a run has not gone well.
func (r run) reason() error {
	why := oneLine(r.err.Error())
	if exit, ok := errors.AsType[*wasys.ExitError](r.err); ok {
		why = fmt.Sprintf("exit status %d", exit.ExitCode())
	}
	if words := r.out.words(); words != "" {
		why += ": " + words
	}
	return errors.New(why)
}
