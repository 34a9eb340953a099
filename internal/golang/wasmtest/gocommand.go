package wasmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tidepool/internal/wording"
)

// A goCommand builds tests of a module and runs nothing of it. It sees nothing of the user's environment but where things are.
type goCommand struct {
	program string // absolute
	module  string // absolute directory, in which it runs
	env     []string
	runner  *Runner // whose time it takes
}

// A goPackage is what go list says of a package, as WebAssembly has it.
type goPackage struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       *struct{ Dir string }
	Error        *struct{ Err string }
}

// tests is about how many tests, examples and fuzz tests a package has.
func (p goPackage) tests() (count int) {
	begin := regexp.MustCompile(`(?m)^func (Test|Example|Fuzz)`)
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, _ := os.ReadFile(filepath.Join(p.Dir, name)) // one that cannot be read is not built, either
		count += len(begin.FindAllIndex(text, -1))
	}
	return count
}

// A NoGoError means that there is no go command.
type NoGoError struct{ Err error }

func (e *NoGoError) Error() string { return "running tests: " + e.Err.Error() }

// Unwrap is what was tried.
func (e *NoGoError) Unwrap() error { return e.Err }

// Hint says how to get one.
func (*NoGoError) Hint() string { return "install Go (https://go.dev/dl) and put go on PATH" }

// findGo finds the go command on PATH, and what it is used with. Its temporary files go to temp.
func findGo(ctx context.Context, module, temp string, runner *Runner) (*goCommand, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, &NoGoError{err}
	}
	g := &goCommand{program: path, module: module, runner: runner, env: append(os.Environ(), "GOTOOLCHAIN=local", "PWD="+module)}
	out, err := g.run(ctx, "env", "-json", "GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOWORK")
	if err != nil {
		return nil, err
	}
	var found map[string]string
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("reading go env: %w", err)
	}
	if inside := filepath.Join(found["GOROOT"], "bin", "go"); isFile(inside) {
		g.program = inside // what is on PATH may need the environment
	}
	g.env = []string{
		"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOMAXPROCS=1",
		"GOENV=off", "GOFLAGS=", "GOTOOLCHAIN=local", "GOPROXY=off", "GOSUMDB=off", "GOVCS=*:off",
		"GOTMPDIR=" + temp, "TMPDIR=" + temp, "PWD=" + module,
	}
	for _, name := range []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOWORK"} {
		g.env = append(g.env, name+"="+found[name])
	}
	return g, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// list lists the module's packages. A workspace that does not know the module is left aside.
func (g *goCommand) list(ctx context.Context) ([]goPackage, error) {
	list, err := g.listed(ctx)
	if err != nil && ctx.Err() == nil {
		g.env = append(g.env, "GOWORK=off")
		list, err = g.listed(ctx)
	}
	return list, err
}

func (g *goCommand) listed(ctx context.Context) ([]goPackage, error) {
	out, err := g.run(ctx, "list", "-e", "-buildvcs=false", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Module,Error", "./...")
	if err != nil {
		return nil, err
	}
	var list []goPackage
	complaint := "there are none"
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := dec.Decode(&p); {
		case err == io.EOF && list == nil:
			return nil, fmt.Errorf("listing the packages of %s: %s", g.module, complaint)
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("reading go list: %w", err)
		case p.Module != nil && filepath.Clean(p.Module.Dir) == g.module:
			list = append(list, p)
		case p.Error != nil:
			complaint = wording.OneLine(p.Error.Err)
		}
	}
}

// build makes the test binary of a package.
func (g *goCommand) build(ctx context.Context, importPath, binary string) error {
	_, err := g.run(ctx, "test", "-c", "-covermode=set", "-coverpkg=./...", "-ldflags=-s -w", "-buildvcs=false", "-pgo=off", "-o", binary, importPath)
	return err
}

const listKept = 64 << 20 // bytes of what go list says

// run runs the go command and returns what it prints. An error is one line.
func (g *goCommand) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.Command(g.program, args...)
	cmd.Dir, cmd.Env = g.module, g.env
	stdout, stderr := &head{limit: listKept}, &head{limit: stderrKept}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := finish(ctx, cmd, g.runner.Nice)
	g.runner.Spent += taken(cmd)
	if err == nil {
		return stdout.Bytes(), nil
	}
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		if complaint := firstComplaint(stderr.String()); complaint != "" {
			err = errors.New(complaint)
		}
	}
	return nil, fmt.Errorf("go %s: %w", args[0], err)
}

// firstComplaint returns the first line of what the go command says, without the headings that name packages.
func firstComplaint(text string) string {
	for line := range strings.Lines(text) {
		if line = wording.OneLine(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line[:min(len(line), lastKept)]
		}
	}
	return ""
}
