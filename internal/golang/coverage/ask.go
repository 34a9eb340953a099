package coverage

import (
	"context"
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Question asks which tests of a module run a function.
type Question struct {
	Module string    // absolute directory
	Target Target    // zero: no test ran it
	First  []string  // directories of packages to measure before all others, unless they are fresh, the likeliest first
	Until  time.Time // to wait for them
	// Progress is told how many of those that are waited for are settled; nil: nobody is.
	Progress func(done, total int)
}

// A State is how much is known of the tests of a package.
type State string

// The states.
const (
	Measured State = "measured" // they were run as they are now
	Stale    State = "stale"    // something that they depend on has changed since
	Pending  State = "pending"  // they are not measured yet
	Failed   State = "failed"   // they cannot be measured
)

// A Package is the tests of one directory with what is known of them.
type Package struct {
	Dir   string // absolute
	State State
	// Reason says in one line why it failed, or, of one that was measured, why tests are missing; "" otherwise. It quotes
	// compilers and programs.
	Reason string
	Tests  []Test // if it was measured, now or before

	module string  // its directory
	record *record // nil: it was never measured
}

// A Test is what one test did when it was run alone.
type Test struct {
	Name   string
	Passed bool // if not, it may run more than it ran
	Ran    bool // the function that was asked about
}

// Ask returns the packages of a module with tests, sorted by directory. Before that it waits until the packages that the question
// names first are measured, or cannot be, or the time is over. An error means that nothing of the module may run, that the module
// cannot be read, or not in time, or that ctx has ended.
func (c *Collector) Ask(ctx context.Context, q Question) ([]Package, error) {
	if err := c.allowed(q.Module); err != nil {
		return nil, err
	}
	c.mu.Lock()
	m := c.module(q.Module)
	c.mu.Unlock()
	n, err := c.lookInTime(ctx, m, q.Until)
	c.mu.Lock()
	if err != nil {
		c.start() // the status will say why
		c.mu.Unlock()
		return nil, err
	}
	c.take(m, n)
	waiting := c.demand(m, q.First)
	c.start()
	c.mu.Unlock()
	if err := c.await(ctx, waiting, q); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Package
	for dir := range n.keys {
		if s := m.states[dir]; s != nil {
			all = append(all, s.tell(m.dir, dir, q.Target)) // files may have been looked at since
		}
	}
	slices.SortFunc(all, func(a, b Package) int { return strings.Compare(a.Dir, b.Dir) })
	return all, nil
}

// readGrace is how long the files of a module may be read at least.
const readGrace = time.Second

var errUnread = errors.New("the files of the module are still being read, ask again in a moment")

// lookInTime reads a module. If the time is over before, it continues in the background.
func (c *Collector) lookInTime(ctx context.Context, m *module, until time.Time) (findings, error) {
	if least := time.Now().Add(readGrace); until.Before(least) {
		until = least
	}
	ctx, cancel := context.WithDeadlineCause(ctx, until, errUnread)
	defer cancel()
	return c.look(ctx, m)
}

// tell returns what is known of a package.
func (s *state) tell(module, dir string, target Target) Package {
	p := Package{Dir: dir, State: Pending, module: module, record: s.record}
	switch {
	case s.fresh():
		p.State, p.Reason = Measured, s.record.Reason
	case s.failed == s.key:
		p.State, p.Reason = Failed, s.reason
	case s.record != nil:
		p.State = Stale
	}
	if s.record != nil {
		p.Tests = s.record.runs(module, target, p.State == Measured)
	}
	return p
}

// await waits until all of the packages are settled, or the time is over.
func (c *Collector) await(ctx context.Context, waiting []*state, q Question) error {
	over := time.NewTimer(time.Until(q.Until))
	defer over.Stop()
	told := -1
	for {
		c.mu.Lock()
		open := 0
		for _, s := range waiting {
			if s.waiting {
				open++
			}
		}
		settled := c.settled
		c.mu.Unlock()
		if open == 0 {
			return nil
		}
		if done := len(waiting) - open; q.Progress != nil && done != told {
			told = done
			q.Progress(done, len(waiting))
		}
		select {
		case <-settled:
		case <-over.C:
			return nil
		case <-c.ctx.Done():
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Compiled reports whether a file is part of the build in which tests are measured, which has neither cgo nor files for other
// systems.
func Compiled(path string) bool {
	system := build.Default
	system.GOOS, system.GOARCH, system.CgoEnabled = "wasip1", "wasm", false
	ok, err := system.MatchFile(filepath.Dir(path), filepath.Base(path))
	if err != nil || !ok {
		return false
	}
	source, err := os.ReadFile(path)
	return err == nil && !slices.Contains(imports(source), "C")
}
