package wasmtest_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidepool/internal/golang/wasmtest"
)

// program is the path of the program with the sandbox.
var program string

// TestMain builds the program with the sandbox. It is a runner that will be killed, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 5 && os.Args[1] == "runner" {
		module := os.Args[2]
		r := wasmtest.Runner{Program: []string{os.Args[5], os.Args[4]}, Temp: os.Args[3]}
		r.Run(context.Background(), module, []string{filepath.Join(module, "stuck")}, func(wasmtest.Result) {}, func(wasmtest.Failure) {})
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "wasmtest-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "./testdata/program")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, out))
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// sea is a copy of the module in testdata.
func sea(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sea")
	if err := os.CopyFS(dir, os.DirFS("testdata/sea")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A measured is all that a runner has told, by test, or package where there is none.
type measured struct {
	results  map[string]wasmtest.Result
	failures map[string]string
}

// measure runs the tests of packages of a module, and sees that nothing is left of it.
func measure(t *testing.T, r wasmtest.Runner, module string, packages ...string) measured {
	t.Helper()
	r.Program, r.Temp = []string{program}, filepath.Join(t.TempDir(), "build")
	m := measured{map[string]wasmtest.Result{}, map[string]string{}}
	var dirs []string
	for _, p := range packages {
		dirs = append(dirs, filepath.Join(module, p))
	}
	err := r.Run(t.Context(), module, dirs,
		func(r wasmtest.Result) { m.results[r.Test] = r },
		func(f wasmtest.Failure) {
			m.failures[strings.TrimSpace(strings.TrimPrefix(f.Package, module)+" "+f.Test)] = f.Reason
		})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Temp); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", r.Temp, err)
	}
	return m
}

func TestRun(t *testing.T) {
	module := sea(t)
	got := measure(t, wasmtest.Runner{}, module, "", "fish", "broken", "nested")
	const always = "init flood" // before each test
	for test, want := range map[string]struct {
		passed bool
		ran    string
	}{
		"TestFish":      {true, "*Fish.Swim Fish.Name unnamed " + always},
		"TestSchool":    {true, "First " + always},
		"TestLiteral":   {true, "func.L30.C13 " + always},
		"TestGenerated": {true, "generated " + always},
		"TestFails":     {false, "Add " + always},
		"TestSkips":     {false, always},
		"TestPretends":  {true, always},
		"TestPanics":    {false, ""},
		"TestExits":     {false, ""},
		"TestWaits":     {false, always},
		"TestParallel":  {true, "Add " + always},
		"TestReads":     {true, always},
		"TestOutside":   {true, "Count Add " + always},
		"ExampleAdd":    {true, "Add " + always},
		"FuzzAdd":       {true, "Add " + always},
	} {
		r, ran := got.results[test]
		if !ran || r.Passed != want.passed || names(r.Ran) != want.ran || r.Package != module {
			t.Errorf("%s: in %s, passed %v, ran %q", test, r.Package, r.Passed, names(r.Ran))
		}
		delete(got.results, test)
		areDeclared(t, r.Ran)
	}
	if len(got.results) > 0 {
		t.Errorf("nobody has asked for %v", got.results)
	}
	if reason := got.failures["/broken"]; !strings.Contains(reason, "broken.go:6:") || !strings.Contains(reason, "undefined: syscall.Getpgid") {
		t.Errorf("of the package that does not build: %q", reason)
	}
	if reason := got.failures["/nested"]; !strings.Contains(reason, "no package of the module") || len(got.failures) != 2 {
		t.Errorf("failures: %q", got.failures)
	}
}

func names(functions []wasmtest.Function) string {
	var all []string
	for _, f := range functions {
		all = append(all, f.Name)
	}
	return strings.Join(all, " ")
}

// areDeclared sees that each function is where it says.
func areDeclared(t *testing.T, functions []wasmtest.Function) {
	t.Helper()
	for _, f := range functions {
		data, err := os.ReadFile(f.File)
		if err != nil {
			t.Error(err)
			continue
		}
		line := strings.Split(string(data), "\n")[f.Line-1]
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		if !strings.HasPrefix(line, "func ") && !strings.Contains(line, "= func") || !strings.Contains(line, name) && !strings.HasPrefix(f.Name, "func.") {
			t.Errorf("%s is not declared in %s:%d: %s", f.Name, f.File, f.Line, line)
		}
	}
}

// Tests that try to leave the sandbox, all of which fail if they can.
func TestEscape(t *testing.T) {
	module := sea(t)
	outside := filepath.Join(filepath.Dir(module), "outside")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, err := range []error{
		os.Mkdir(outside, 0o700),
		os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600),
		os.Symlink(outside, filepath.Join(module, "out")),
		os.Symlink("testdata", filepath.Join(module, "in")),
		syscall.Mkfifo(filepath.Join(module, "pipe"), 0o600),
		os.WriteFile(filepath.Join(module, "address"), []byte(listener.Addr().String()), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, filepath.Dir(module))
	got := measure(t, wasmtest.Runner{}, module, "escape")
	for test, r := range got.results {
		if !r.Passed {
			t.Errorf("%s has not passed", test)
		}
	}
	if len(got.results) != 9 || len(got.failures) > 0 {
		t.Errorf("%d tests, failures %q", len(got.results), got.failures)
	}
	if after := tree(t, filepath.Dir(module)); !slices.Equal(before, after) {
		t.Errorf("the module has changed: %q, before %q", after, before)
	}
	listener.(*net.TCPListener).SetDeadline(time.Now())
	if c, err := listener.Accept(); err == nil {
		t.Errorf("somebody has called: %v", c.RemoteAddr())
	}
}

// tree is all that is below a directory, with sizes and times.
func tree(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all = append(all, fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime()))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Tests that take all the time they can get do not keep the others from running.
func TestStuck(t *testing.T) {
	got := measure(t, wasmtest.Runner{Bounds: wasmtest.Bounds{Test: 6 * time.Second}}, sea(t), "dead", "stuck")
	if want := map[string]string{
		"/stuck TestLoops": "it took more than 6s of processor time",
		"/dead":            "not in a test: it took more than 6s of processor time",
	}; !maps.Equal(got.failures, want) {
		t.Errorf("failures: %q", got.failures)
	}
	for _, test := range []string{"TestPrints", "TestDeep"} {
		if r := got.results[test]; !r.Passed {
			t.Errorf("%s has not passed", test)
		}
	}
}

// Tests that take all the memory they can get fail by themselves. Where page faults are slow, that takes seconds of processor time.
func TestGreedy(t *testing.T) {
	got := measure(t, wasmtest.Runner{Bounds: wasmtest.Bounds{Test: time.Minute, Memory: 64 << 20}}, sea(t), "greedy")
	for _, test := range []string{"TestAllocates", "TestRecurses"} {
		if r, ran := got.results[test]; !ran || r.Passed {
			t.Errorf("%s: ran %v, passed %v", test, ran, r.Passed)
		}
	}
	if len(got.failures) > 0 {
		t.Errorf("failures: %q", got.failures)
	}
}

// What cannot be done at all is an error, in one line.
func TestNothingToRun(t *testing.T) {
	for name, run := range map[string]func(r *wasmtest.Runner) error{
		"no module": func(r *wasmtest.Runner) error { return r.Run(t.Context(), t.TempDir(), nil, nil, nil) },
		"no sandbox": func(r *wasmtest.Runner) error {
			r.Program = []string{"/nonexistent"}
			module := sea(t)
			return r.Run(t.Context(), module, []string{module}, nil, nil)
		},
		"no go command": func(r *wasmtest.Runner) error {
			t.Setenv("PATH", "")
			return r.Run(t.Context(), sea(t), nil, nil, nil)
		},
	} {
		if err := run(new(wasmtest.Runner)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
