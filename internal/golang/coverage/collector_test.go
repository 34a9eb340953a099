package coverage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const archive = `
-- go.mod --
module example.test/m

go 1.26
-- a/a.go --
package a

func F() {}

func G() {}
-- a/a_test.go --
package a

//runs TestF a/a.go:3:F
//runs TestG a/a.go:5:G
//fails TestBoth a/a.go:5:G
-- b/b.go --
package b

import "example.test/m/a"

func B() { a.F() }
-- b/b_test.go --
package b_test

//runs TestB b/b.go:5:B a/a.go:3:F
-- c/c.go --
package c
-- c/c_test.go --
package c

//runs TestC
-- d/d.go --
package d
`

const fresh = "a measured: TestF+ TestG- TestBoth-!; b measured: TestB+; c measured: TestC-"

// awaitMeasured waits until all of a module is measured.
func awaitMeasured(t *testing.T, k *Collector, dir string) {
	t.Helper()
	for k.Want(dir); ; {
		k.mu.Lock()
		settled := k.settled
		k.mu.Unlock()
		if states, _ := k.Status(); states[0].Waiting == 0 {
			return
		}
		<-settled
	}
}

func TestAllOfAModuleIsMeasured(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	awaitMeasured(t, k, dir)
	expect(t, "measured", answer(t, k, about(dir)), fresh)
	if calls := p.called(); len(calls) != 3 {
		t.Errorf("%v were measured", calls)
	}
	states, err := k.Status()
	if err != nil || len(states) != 1 {
		t.Fatalf("%v, %v", states, err)
	}
	want := Status{Module: dir, Tests: 5, Packages: 3, Measured: 3, Spent: 3 * time.Second}
	if got := states[0]; got.Tests != want.Tests || got.Packages != want.Packages || got.Measured != want.Measured || got.Spent != want.Spent || got.Waiting != 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestNothingIsWaitedForBeyondTheTime(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	q := about(dir, "a")
	q.Until = time.Time{}
	expect(t, "without time", answer(t, k, q), "a pending; b pending; c pending")
	<-p.begun
	close(p.gates["a"])
	expect(t, "with time", answer(t, k, about(dir, "a", "b", "c")), fresh)
}

// A question goes before what is measured for nobody, which is taken up again.
func TestAQuestionGoesFirst(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a", "c")
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	k.Want(dir)
	<-p.begun // a, which nobody has asked for
	var told []int
	q := about(dir, "c", "b")
	q.Progress = func(done, total int) {
		if told = append(told, done, total); len(told) == 2 {
			close(p.gates["c"])
		}
	}
	expect(t, "asked", answer(t, k, q), "a pending; b measured: TestB+; c measured: TestC-")
	if len(told) < 2 || told[0] != 0 || told[1] != 2 {
		t.Errorf("told %v", told)
	}
	<-p.begun // c
	<-p.begun // a
	close(p.gates["a"])
	expect(t, "all", answer(t, k, about(dir, "a")), fresh)
	if calls := p.called(); !slices.Equal(calls, []string{"a", "c", "b", "a"}) {
		t.Errorf("%v were measured", calls)
	}
}

// What is measured already is not begun again for those who ask for it.
func TestQuestionsShareWhatIsMeasured(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	k.Want(dir)
	<-p.begun
	var asking sync.WaitGroup
	for range 5 {
		asking.Go(func() {
			if got := answer(t, k, about(dir, "b", "a")); !strings.HasPrefix(got, fresh[:strings.Index(fresh, "; c")]) {
				t.Errorf("answered %s", got)
			}
		})
	}
	q := about(dir, "a")
	q.Progress = func(int, int) { close(p.gates["a"]) }
	answer(t, k, q)
	asking.Wait()
	awaitMeasured(t, k, dir)
	if calls := p.called(); len(calls) > 4 {
		t.Errorf("%v were measured", calls)
	}
}

func TestWhatChangesBecomesStale(t *testing.T) {
	for _, tt := range []struct{ name, path, text, want string }{
		{"its code", "a/a.go", "package a\n\n// F does.\nfunc F() {}\n", "a stale; b stale; c measured"},
		{"its tests", "a/a_test.go", "package a\n", "a stale; b measured; c measured"},
		{"an importer", "b/b.go", "package b\n", "a measured; b stale; c measured"},
		{"its data", "a/testdata/x/in.txt", "1", "a stale; b measured; c measured"},
		{"code that is data", "a/testdata/x/in.go", "package x", "a stale; b measured; c measured"},
		{"data of all", "go.mod", "module example.test/m\n\ngo 1.25\n", "a stale; b stale; c stale"},
		{"what git keeps", ".git/index", "", "a measured; b measured; c measured"},
		{"another module", "c/sub/go.mod", "module x\n", "a measured; b measured; c measured"},
		{"a workspace", "go.work", "go 1.26\nuse .\n", "a stale; b stale; c stale"},
		{"a package more", "c/sub/sub_test.go", "package sub", "a measured; b measured; c measured; c/sub pending"},
		{"a package less", "c/c_test.go", "", "a measured; b measured; c stale"},
	} {
		dir, p := t.TempDir(), newPlayer()
		lay(t, dir, archive)
		k := collector(t, p, Options{})
		awaitMeasured(t, k, dir)
		write(t, filepath.Join(dir, filepath.FromSlash(tt.path)), tt.text)
		q := about(dir)
		packages, err := k.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range packages {
			got = append(got, relative(dir, p.Dir)+" "+string(p.State))
		}
		expect(t, tt.name, strings.Join(got, "; "), tt.want)
	}
}

// Of a package that has changed, functions are known by their names; asked for, it is measured anew.
func TestStale(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	awaitMeasured(t, k, dir)
	write(t, filepath.Join(dir, "a", "a.go"), "package a\n\nfunc G() {}\n\nfunc F() {}\n")
	write(t, filepath.Join(dir, "a", "a_test.go"), "package a\n//runs TestF a/a.go:5:F\n")
	q := about(dir)
	q.Target.Line, q.Target.Until = 5, 0
	expect(t, "stale", answer(t, k, q), "a stale: TestF+ TestG- TestBoth-!; b stale: TestB+; c measured: TestC-")
	q.First = []string{filepath.Join(dir, "a")}
	expect(t, "anew", answer(t, k, q), "a measured: TestF+; b stale: TestB+; c measured: TestC-")
	if calls := p.called(); len(calls) != 4 {
		t.Errorf("%v were measured", calls)
	}
}

// A package whose files change while its tests run is measured once more: the first record is of no state of the files.
func TestChangesWhileMeasuring(t *testing.T) {
	const measured = "a measured: TestF+ TestG- TestBoth-!"
	for changes, want := range map[int]string{1: measured, 2: "a pending"} {
		dir, p, left := t.TempDir(), newPlayer(), changes
		lay(t, dir, archive)
		changing := func(ctx context.Context, module string, packages []string, each func(Result), failed func(Failure)) (time.Duration, error) {
			if left > 0 && filepath.Base(packages[0]) == "a" {
				write(t, filepath.Join(dir, "a", "a.go"), fmt.Sprintf("package a\n\nfunc F() {}\n\nfunc G() {} // %d\n", left))
				left--
			}
			return p.measure(ctx, module, packages, each, failed)
		}
		k := New(Options{Measure: changing})
		t.Cleanup(k.Close)
		// After two changes it is measured a third time for nobody, which may be over by the time of the answer.
		if got := answer(t, k, about(dir, "a")); !strings.HasPrefix(got, want) && !(changes == 2 && strings.HasPrefix(got, measured)) {
			t.Errorf("%d changes: answered %s", changes, got)
		}
		expect(t, "later", answer(t, k, about(dir, "a", "b", "c")), fresh)
		times := len(slices.DeleteFunc(p.called(), func(name string) bool { return name != "a" }))
		if times != changes+1 {
			t.Errorf("%d changes: measured %d times", changes, times)
		}
	}
}

// A package that is demanded between its measurement and the next task is measured anew.
func TestDemandedWhenMeasured(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	for name, spoil := range map[string]func(cancel context.CancelCauseFunc){
		"changed meanwhile": func(context.CancelCauseFunc) {
			write(t, filepath.Join(dir, "a", "a.go"), "package a // "+rand.Text()+"\n")
		},
		"interrupted": func(cancel context.CancelCauseFunc) { cancel(errYields) },
	} {
		k := New(Options{})
		k.started = true // the tasks run here, one at a time
		m := &module{dir: dir, states: make(map[string]*state)}
		k.modules = []*module{m}
		k.survey(t.Context(), m)
		at := filepath.Join(dir, "a")
		for _, again := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(t.Context())
			k.current = &measuring{task{m, at, true}, cancel}
			k.options.Measure = func(ctx context.Context, module string, packages []string, each func(Result), failed func(Failure)) (time.Duration, error) {
				spoil(cancel)
				return p.measure(ctx, module, packages, each, failed)
			}
			m.states[at].again = again
			k.urgent, m.later = nil, nil
			k.measure(ctx, k.current.task)
			k.demand(m, []string{at})
			if len(k.urgent) != 1 || k.urgent[0].dir != at {
				t.Errorf("%s, again %v: %v are queued", name, again, k.urgent)
			}
		}
	}
}

// Of two that look at a module at once, the one that read it first may take note of it last.
func TestLookedAtBefore(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	k.started = true // nothing is measured
	m := k.module(dir)
	early, err := k.look(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a", "a.go"), "package a\n\nfunc F() {} // changed\n")
	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	late, err := k.look(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	k.take(m, late)
	k.take(m, early)
	a := filepath.Join(dir, "a")
	if got := m.states[a].key; got != late.keys[a] || got == early.keys[a] {
		t.Errorf("a counts as %.8s, which is %.8s now, and was %.8s", got, late.keys[a], early.keys[a])
	}
	if m.states[filepath.Join(dir, "b")] != nil {
		t.Error("b is back")
	}
	k.survey(t.Context(), m)
	if want := []string{a, filepath.Join(dir, "c")}; !slices.Equal(m.later, want) {
		t.Errorf("%v are planned", m.later)
	}
}

// The same package is measured once more if nobody waits for it, after the others.
func TestChangesInTheBackground(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	k.Want(dir)
	<-p.begun
	write(t, filepath.Join(dir, "a", "a.go"), "package a\n\nfunc F() {}\n\nfunc G() {} // changed\n")
	close(p.gates["a"])
	awaitMeasured(t, k, dir)
	expect(t, "afterwards", answer(t, k, about(dir)), fresh)
}

// Nobody waits for a package that is gone.
func TestAPackageGoes(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	k := collector(t, p, Options{})
	q := about(dir, "a", "b")
	q.Progress = func(done, _ int) {
		if done > 0 {
			return
		}
		<-p.begun
		if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
			t.Error(err)
		}
		close(p.gates["a"])
	}
	if got := answer(t, k, q); !strings.HasPrefix(got, "a measured: TestF+ TestG- TestBoth-!; c ") {
		t.Errorf("without b: %s", got)
	}
}

func TestFailures(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	write(t, filepath.Join(dir, "a", "a_test.go"), "package a\n//broken no such thing\n")
	write(t, filepath.Join(dir, "b", "b_test.go"), "package b\n//runs TestB a/a.go:3:F\n//broken out of time\n//lost TestLong\n")
	k := collector(t, p, Options{})
	want := "a failed (no such thing); b measured (out of time): TestB+ TestLong-!; c measured: TestC-"
	for range 2 {
		expect(t, "failed", answer(t, k, about(dir, "a", "b", "c")), want)
	}
	if calls := p.called(); len(calls) != 3 {
		t.Errorf("%v were measured", calls)
	}
	if states, _ := k.Status(); states[0].Failed != 1 || !slices.Equal(states[0].Reasons, []string{"no such thing"}) {
		t.Errorf("%+v", states)
	}
	write(t, filepath.Join(dir, "a", "a_test.go"), "package a\n//runs TestF a/a.go:3:F\n")
	expect(t, "mended", answer(t, k, about(dir, "a")), "a measured: TestF+"+strings.TrimPrefix(want, "a failed (no such thing)"))
}

func TestNothingCanBeDone(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	p.err = errors.New("there is\nno go command")
	k := collector(t, p, Options{})
	if got := answer(t, k, about(dir, "c")); !strings.HasSuffix(got, "c failed (there is no go command)") {
		t.Errorf("answered %s", got)
	}
	if _, err := k.Ask(t.Context(), about(t.TempDir())); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a go.mod: %v", err)
	}
	reading := <-k.reading // by somebody who takes long
	q := about(dir)
	q.Until = time.Time{}
	if _, err := k.Ask(t.Context(), q); !errors.Is(err, errUnread) {
		t.Errorf("while files are read: %v", err)
	}
	k.reading <- reading
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Ask(ctx, about(dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left gets %v", err)
	}
}

func TestTheLimit(t *testing.T) {
	dir, p := t.TempDir(), newPlayer()
	lay(t, dir, archive)
	k := collector(t, p, Options{Limit: 2 * time.Second}) // each package takes one
	want := "a measured: TestF+ TestG- TestBoth-!; b measured: TestB+; c failed (the 0 minutes of processor time for them are used up)"
	expect(t, "beyond the limit", answer(t, k, about(dir, "a", "b", "c")), want)
}

func TestClose(t *testing.T) {
	dir, p := t.TempDir(), newPlayer("a")
	lay(t, dir, archive)
	k := collector(t, p, Options{Dir: t.TempDir()})
	q := about(dir, "a")
	q.Progress = func(int, int) {
		<-p.begun
		k.cancel()
	}
	expect(t, "closed", answer(t, k, q), "a pending; b pending; c pending")
	k.Close()
	expect(t, "asked after", answer(t, k, about(dir, "a")), "a pending; b pending; c pending")
	New(Options{}).Close()
}
