package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/analysis/worker"
	"tidepool/internal/golang/fact"
	"tidepool/internal/wording"
)

func TestMain(m *testing.M) {
	if os.Args[len(os.Args)-1] == analysis.Subcommand {
		fmt.Fprintln(os.Stderr, worker.Serve(os.Stdin, os.Stdout))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// newClient returns a client of this binary, until the test ends.
func newClient(t *testing.T, o analysis.Options) *analysis.Client {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program = []string{program, "-test.run=^$", analysis.Subcommand}
	c, err := analysis.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const colors = `package m

type Color int

const (
	Red Color = iota
	Blue
)

func warm(c Color) bool {
	switch c {
	case Red:
		return true
	}
	return false
}
`

// color is where the type of colors is declared.
func color(tree analysis.Tree) fact.Place {
	return fact.Place{Path: tree.Sources[0], Line: 3, Column: 6}
}

// module makes a module of one file.
func module(t *testing.T) analysis.Tree {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.test/m\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "m.go"), colors)
	return analysis.Tree{Sources: []string{filepath.Join(dir, "m.go")}}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// stuck is a module of which a file cannot be read before open is called: nothing about it is answered until then.
func stuck(t *testing.T) (tree analysis.Tree, open func()) {
	t.Helper()
	tree = module(t)
	path := filepath.Join(filepath.Dir(tree.Sources[0]), "pipe.go")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	tree.Sources = append(tree.Sources, path)
	return tree, func() {
		aside := filepath.Join(t.TempDir(), "pipe")
		if err := os.Rename(path, aside); err != nil {
			t.Error(err)
		}
		write(t, path, "package m\n")
		pipe, err := os.OpenFile(aside, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil { // the process had not come to it
			return
		}
		defer pipe.Close()
		if _, err := pipe.WriteString("package m\n"); err != nil {
			t.Error(err)
		}
	}
}

// waitFor waits for a state of processes, of which nobody tells.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); !is(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited for %s", what)
		}
	}
}

// wantFailure checks why a question was not answered.
func wantFailure(t *testing.T, err error, reason string) {
	t.Helper()
	if !analysis.Failed(err) || !strings.Contains(err.Error(), reason) || wording.HintOf(err) == "" {
		t.Errorf("error %v, hint %q; want %q", err, wording.HintOf(err), reason)
	}
}

func TestAsk(t *testing.T) {
	c, tree := newClient(t, analysis.Options{}), module(t)
	if c.Memory() != 0 {
		t.Error("there is a process before a question")
	}
	for _, want := range []int{1, 2} {
		got, err := c.Enum(t.Context(), tree, color(tree))
		if err != nil {
			t.Fatal(err)
		}
		if got.Type == nil || len(got.Type.Members) != 2 || len(got.Switches) != want {
			t.Errorf("%+v, want %d switches", got, want)
		}
		write(t, tree.Sources[0], colors+"\nfunc cold(c Color) bool { switch c { case Blue: return true }; return false }\n")
	}
	if c.Memory() == 0 {
		t.Error("there is no process after a question")
	}
	none, err := c.Enum(t.Context(), analysis.Tree{}, color(tree))
	if err != nil || none.Type != nil {
		t.Errorf("without sources: %+v, %v", none, err)
	}
	if _, err := c.Try(t.Context(), tree, analysis.Attempt{Edits: []fact.Edit{{Path: tree.Sources[0], Start: 1 << 20, End: 1 << 20}}}); err == nil || analysis.Failed(err) {
		t.Errorf("an edit of what is not there: %v", err)
	}
}

// Questions of one walk about all packages see them as they are at the first.
// An edit that cannot be made is an error of the question also where files apart from it are known to hold nothing of it.
func TestTryBesideOthers(t *testing.T) {
	c, tree := newClient(t, analysis.Options{}), module(t)
	apart := filepath.Join(filepath.Dir(tree.Sources[0]), "apart")
	if err := os.Mkdir(apart, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(apart, "a_plan9.go"), "package apart\n")
	tree.Sources = append(tree.Sources, filepath.Join(apart, "a_plan9.go"))
	attempt := analysis.Attempt{Dirs: []string{apart}, Edits: []fact.Edit{{Path: tree.Sources[0], Start: 1 << 20, End: 1 << 20}}}
	if _, err := c.Try(t.Context(), tree, attempt); err == nil || analysis.Failed(err) {
		t.Errorf("an edit of what is not there: %v", err)
	}
	attempt.Edits[0] = fact.Edit{Path: tree.Sources[0], Start: 0, End: 0}
	if made, err := c.Try(t.Context(), tree, attempt); err != nil || !made.Seen[tree.Sources[1]] {
		t.Errorf("%+v, %v", made, err)
	}
}

func TestWalk(t *testing.T) {
	c, tree := newClient(t, analysis.Options{}), module(t)
	tree.Walk = 1
	for range 2 {
		got, err := c.Enum(t.Context(), tree, color(tree))
		if err != nil || got.Type == nil || len(got.Type.Members) != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
		write(t, tree.Sources[0], "package m\n")
	}
	tree.Walk = 2
	if got, err := c.Enum(t.Context(), tree, color(tree)); err != nil || got.Type != nil {
		t.Errorf("the next walk: %+v, %v", got, err)
	}
}

func TestLimit(t *testing.T) {
	c := newClient(t, analysis.Options{Limit: 1 << 20})
	tree, _ := stuck(t) // until the process is seen to be too large
	tree.Walk = 1
	_, err := c.Enum(t.Context(), tree, color(tree))
	wantFailure(t, err, "the analysis of the packages needed more than 1 MB (memory.budget)")
	waitFor(t, "the end of the process", func() bool { return c.Memory() == 0 })
	_, again := c.Enum(t.Context(), tree, color(tree))
	if wantFailure(t, again, "more than 1 MB"); c.PID() != 0 {
		t.Error("the same walk has started another process")
	}
	tree.Walk = 2
	_, other := c.Enum(t.Context(), tree, color(tree))
	wantFailure(t, other, "more than 1 MB")
}

// A question that is cancelled, or too slow, costs the others nothing.
func TestCancel(t *testing.T) {
	c := newClient(t, analysis.Options{})
	tree, open := stuck(t)
	ctx, cancel := context.WithCancel(t.Context())
	began := make(chan error)
	go func() {
		_, err := c.Enum(ctx, tree, color(tree))
		began <- err
	}()
	pipe, err := os.OpenFile(tree.Sources[1], os.O_WRONLY, 0) // waits until the process reads it
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-began; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	pid := c.PID()
	open()
	pipe.Close()
	got, err := c.Enum(t.Context(), tree, color(tree))
	if err != nil || got.Type == nil || c.PID() != pid {
		t.Errorf("after a cancelled one: %+v, %v; process %d, then %d", got, err, pid, c.PID())
	}
}

func TestPatience(t *testing.T) {
	c := newClient(t, analysis.Options{Patience: 50 * time.Millisecond})
	tree, _ := stuck(t)
	_, err := c.Enum(t.Context(), tree, color(tree))
	wantFailure(t, err, "the analysis of the packages took more than 50ms")
	hanging := c.PID() // 0: it has been ended already
	waitFor(t, "the end of a process that hangs", func() bool {
		if hanging == 0 || c.PID() != hanging {
			return true
		}
		_, _ = c.Enum(t.Context(), tree, color(tree)) // a question that is given up before the process has begun with it does not hang
		return false
	})
}

// An asker whose time is over has met a failure, which all questions of its walk meet at once then.
func TestAskersPatience(t *testing.T) {
	c := newClient(t, analysis.Options{})
	tree, open := stuck(t)
	tree.Walk = 1
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := c.Enum(ctx, tree, color(tree))
	wantFailure(t, err, "the analysis of the packages took more than ")
	_, again := c.Enum(t.Context(), tree, color(tree))
	wantFailure(t, again, err.Error())
	open()
	tree.Walk = 2
	if got, err := c.Enum(t.Context(), tree, color(tree)); err != nil || got.Type == nil {
		t.Errorf("another walk: %+v, %v", got, err)
	}
}

// An attempt that is cancelled is answered all the same, as far as the process came, and no other question is.
func TestTryInNoTime(t *testing.T) {
	c, tree := newClient(t, analysis.Options{}), module(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	attempt := analysis.Attempt{Dirs: []string{filepath.Dir(tree.Sources[0])}, Edits: []fact.Edit{{Path: tree.Sources[0]}}, Extent: fact.Whole}
	if made, err := c.Try(ctx, tree, attempt); err != nil || len(made.Problems) > 0 {
		t.Errorf("%+v, %v", made, err)
	}
	tree, _ = stuck(t)
	if _, err := c.Enum(ctx, tree, color(tree)); !errors.Is(err, context.Canceled) {
		t.Errorf("another question: %v", err)
	}
}

func TestProcessEnds(t *testing.T) {
	c := newClient(t, analysis.Options{})
	tree, open := stuck(t)
	failed := make(chan error)
	go func() {
		_, err := c.Enum(t.Context(), tree, color(tree))
		failed <- err
	}()
	waitFor(t, "the process", func() bool { return c.PID() != 0 })
	if err := syscall.Kill(c.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, <-failed, "the process that analyses the packages ended: signal: killed")
	open()
	if got, err := c.Enum(t.Context(), tree, color(tree)); err != nil || got.Type == nil {
		t.Errorf("the next question: %+v, %v", got, err)
	}
}

func TestNotStarted(t *testing.T) {
	c, err := analysis.New(analysis.Options{Program: []string{filepath.Join(t.TempDir(), "nowhere")}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Enum(t.Context(), analysis.Tree{}, fact.Place{})
	wantFailure(t, err, "could not be started")
	var none *analysis.Client
	_, err = none.Enum(t.Context(), analysis.Tree{}, fact.Place{})
	wantFailure(t, err, "could not be started")
}

func TestIdle(t *testing.T) {
	c, tree := newClient(t, analysis.Options{Idle: 10 * time.Millisecond}), module(t)
	for range 2 {
		if _, err := c.Enum(t.Context(), tree, color(tree)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the end of the process", func() bool { return c.PID() == 0 })
	}
}

func TestClose(t *testing.T) {
	c := newClient(t, analysis.Options{})
	tree, _ := stuck(t)
	failed := make(chan error)
	go func() {
		_, err := c.Enum(t.Context(), tree, color(tree))
		failed <- err
	}()
	waitFor(t, "the process", func() bool { return c.PID() != 0 })
	pid := c.PID()
	c.Close()
	wantFailure(t, <-failed, "the daemon is ending")
	if err := syscall.Kill(pid, 0); err == nil {
		t.Error("the process is left")
	}
	_, err := c.Enum(t.Context(), tree, color(tree))
	wantFailure(t, err, "the daemon is ending")
}

// The process has no variables of its parent but those by which Go finds packages, and the kernel confines it.
func TestConfined(t *testing.T) {
	t.Setenv("TIDEPOOL_TEST_SECRET", "s3cret")
	c, tree := newClient(t, analysis.Options{Limit: 1000 << 20}), module(t)
	if _, err := c.Enum(t.Context(), tree, color(tree)); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", c.PID(), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if env := read("environ"); strings.Contains(env, "s3cret") || !strings.Contains(env, "GOMEMLIMIT=838860800\x00") {
		t.Errorf("its environment is %q", env)
	}
	if status := read("status"); !strings.Contains(status, "Seccomp:\t2") || !strings.Contains(status, "NoNewPrivs:\t1") {
		t.Errorf("it is not confined:\n%s", status)
	}
	if limits := read("limits"); !strings.Contains(limits, "Max file size             0                    0") {
		t.Errorf("its limits are\n%s", limits)
	}
}

// A process that somebody waits for does not give way.
func TestGiveWay(t *testing.T) {
	c, tree := newClient(t, analysis.Options{}), module(t)
	if c.GiveWay() {
		t.Error("there was nothing to give way")
	}
	if _, err := c.Enum(t.Context(), tree, color(tree)); err != nil {
		t.Fatal(err)
	}
	if !c.GiveWay() || c.Memory() != 0 {
		t.Error("the process did not give way")
	}
	busy, open := stuck(t)
	answered := make(chan error)
	go func() {
		_, err := c.Enum(t.Context(), busy, color(busy))
		answered <- err
	}()
	waitFor(t, "the process", func() bool { return c.Memory() != 0 })
	if c.GiveWay() {
		t.Error("the process gave way while somebody waited")
	}
	open()
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// What a process has found out, the next one finds on the disk: it would be written once more otherwise.
func TestNextProcessFindsFacts(t *testing.T) {
	kept, tree := filepath.Join(t.TempDir(), "facts"), module(t)
	ask := func(c *analysis.Client) {
		t.Helper()
		if got, err := c.Enum(t.Context(), tree, color(tree)); err != nil || len(got.Switches) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	files := func() (all []os.FileInfo) {
		entries, _ := os.ReadDir(kept)
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil && filepath.Ext(entry.Name()) == ".facts" {
				all = append(all, info)
			}
		}
		return all
	}
	first := newClient(t, analysis.Options{Kept: kept})
	waitFor(t, "the facts and the interfaces on the disk", func() bool { // once the file has not been written for a while
		ask(first)
		return len(files()) == 2
	})
	first.Close()
	before := files()
	second := newClient(t, analysis.Options{Kept: kept})
	ask(second)
	second.Close()
	after := files()
	for i := range before {
		if len(after) != len(before) || !os.SameFile(before[i], after[i]) || before[i].Mode() != 0o600 {
			t.Errorf("%s was found out again", before[i].Name())
		}
	}
}
