package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/internal/sandbox/sandboxtest"
	"tidepool/internal/state"
)

// program is what TestMain has built.
var program []string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sandbox")
	if err == nil {
		program, err = sandboxtest.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// project makes a project with a repository in it.
func project(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	git(t, dir, "init", "-q")
	must(t, state.Ensure(state.Of(dir)))
	return dir
}

// open makes the sandbox of a project.
func open(t testing.TB, dir string, change ...func(*Options)) *Sandbox {
	t.Helper()
	o := Options{Program: program, Project: dir, Scratch: filepath.Join(state.Of(dir), "exec")}
	for _, c := range change {
		c(&o)
	}
	s, err := New(o)
	must(t, err)
	return s
}

// shell runs a line at a level that the kernel of the test must have.
func shell(t *testing.T, s *Sandbox, level Level, line string) Outcome {
	t.Helper()
	out, err := s.at(t.Context(), level, specOf(t, s, line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out
}

func specOf(t testing.TB, s *Sandbox, line string) Spec {
	t.Helper()
	spec := Spec{Args: []string{"sh", "-c", line}, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + os.Getenv("HOME")}}.withDefaults()
	must(t, s.check(&spec))
	return spec
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(content), 0o644))
}

func TestSupportIsFullHere(t *testing.T) {
	s := open(t, project(t))
	if got := s.Known(); got.Level != "" {
		t.Errorf("known before it was asked for: %+v", got)
	}
	if got := s.Support(t.Context()); got.Level != Full || got.Step != "" || len(got.Missing) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestRun(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	out, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", "echo out; echo err >&2; pwd; exit 3"}, Env: []string{"PATH=/usr/bin:/bin"}})
	must(t, err)
	if out.Exit != 3 || string(out.Stdout.Text) != "out\n"+dir+"\n" || string(out.Stderr.Text) != "err\n" || out.Isolation != Full {
		t.Errorf("%+v, stdout %q, stderr %q", out, out.Stdout.Text, out.Stderr.Text)
	}
}

func TestSpecsThatCannotRun(t *testing.T) {
	dir := project(t)
	s := open(t, dir)
	write(t, dir+"/file", "")
	must(t, os.Symlink("/etc", dir+"/out"))
	for name, spec := range map[string]Spec{
		"no command":          {},
		"NUL":                 {Args: []string{"sh", "-c", "echo \x00"}},
		"a negative timeout":  {Args: []string{"true"}, Timeout: -1},
		"a directory outside": {Args: []string{"true"}, Dir: "/etc"},
		"a link outside":      {Args: []string{"true"}, Dir: "out"},
		"a file":              {Args: []string{"true"}, Dir: "file"},
		"dots":                {Args: []string{"true"}, Dir: "../.."},
		"an unknown level":    {Args: []string{"true"}, Accept: "much"},
	} {
		_, err := s.Run(t.Context(), spec)
		wrong, is := errors.AsType[*SpecError](err)
		if !is || wrong.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", strings.Repeat(" ", 1<<20)}, Env: []string{"PATH=/bin"}})
	if e, is := errors.AsType[*StartError](err); !is || e.Step != "start" || !strings.Contains(err.Error(), "argument list too long") {
		t.Errorf("1 MB of command: %v", err)
	}
}

func TestTimeoutEndsEverything(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		dir := project(t)
		s := open(t, dir)
		spec := specOf(t, s, "(setsid sh -c 'while :; do date >> beat; sleep 0.05; done' &) ; echo started; sleep 60")
		spec.Timeout = 500 * time.Millisecond
		out, err := s.at(t.Context(), level, spec)
		must(t, err)
		if !out.TimedOut || out.Exit != 124 || string(out.Stdout.Text) != "started\n" {
			t.Errorf("%s: %+v", level, out)
		}
		dead(t, "sh -c while :; do date >> beat")
	}
}

// dead waits until no process has this in its command line.
func dead(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); alive(t, text); {
		if time.Now().After(deadline) {
			t.Fatalf("%q still runs", text)
		}
	}
}

func alive(t *testing.T, text string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(t, err)
	for _, line := range lines {
		if args, err := os.ReadFile(line); err == nil && strings.Contains(strings.ReplaceAll(string(args), "\x00", " "), text) {
			return true
		}
	}
	return false
}

func TestCancelledCallerEndsTheCommand(t *testing.T) {
	s := open(t, project(t))
	ctx, cancel := context.WithCancel(t.Context())
	s.Support(ctx)
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := s.Run(ctx, specOf(t, s, "sleep 61")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	dead(t, "sleep 61")
}

func TestFiftyAtOnce(t *testing.T) {
	s := open(t, project(t))
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			out, err := s.Run(t.Context(), Spec{Args: []string{"sh", "-c", fmt.Sprintf("echo %d > f%d; cat f%d; echo %d > /tmp/x%d", n, n, n, n, n)}, Env: []string{"PATH=/bin"}})
			if err != nil || out.Exit != 0 || string(out.Stdout.Text) != fmt.Sprintln(n) {
				t.Errorf("%d: %v, %+v %s", n, err, out, out.Stderr.Text)
			}
		})
	}
	all.Wait()
	must(t, s.EndSession(""))
	if left, err := filepath.Glob(filepath.Join(s.options.Scratch, "tmp", "*")); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestLimits(t *testing.T) {
	for _, level := range []Level{Full, Partial} {
		s := open(t, project(t))
		spec := specOf(t, s, "for i in $(seq 100); do sleep 62 & done; wait")
		spec.Processes = 20
		out, err := s.at(t.Context(), level, spec)
		if err != nil || out.Limit != "processes" || out.Signal != "SIGKILL" || out.TimedOut {
			t.Errorf("%s: %v, %+v", level, err, out)
		}
		spec = specOf(t, s, `x=$(head -c 300000000 /dev/zero | tr '\0' x); sleep 63`)
		spec.MemoryMB = 100
		out, err = s.at(t.Context(), level, spec)
		if err != nil || out.Limit != "memory" || out.Exit != 137 {
			t.Errorf("%s: %v, %+v", level, err, out)
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	s := open(t, project(t))
	spec := specOf(t, s, "head -c 3000000 /dev/zero; echo done >&2")
	spec.OutputBytes = 1000
	out, err := s.at(t.Context(), Full, spec)
	if err != nil || len(out.Stdout.Text) != 1000 || out.Stdout.Total != 3000000 || string(out.Stderr.Text) != "done\n" {
		t.Errorf("%v, %d of %d", err, len(out.Stdout.Text), out.Stdout.Total)
	}
}

// A program that is not the process between daemon and command does not start itself again and again.
func TestNoProcessWithinTheProcess(t *testing.T) {
	t.Setenv(confining, "1")
	s := open(t, project(t))
	if support := s.Support(t.Context()); support.Level != None || !strings.Contains(support.Why, "does something else") {
		t.Errorf("%+v", support)
	}
}
