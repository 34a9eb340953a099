package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// A diary keeps the events of a project.
type diary struct {
	mu     sync.Mutex
	events []string
}

func (d *diary) note(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, e.What)
}

func (d *diary) has(what string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.events, func(e string) bool { return strings.Contains(e, what) })
}

// Three trees of a language with one process for each, of which two may run.
func TestProcessLimit(t *testing.T) {
	dir, trees := worktrees(t, benches(t)["toy"])
	var d diary
	p := openWith(t, Options{Root: dir, Languages: []Language{toy()}, Env: environment(), ProcessLimit: 2, Events: d.note})
	running := func() (dirs []string) {
		for _, s := range p.Status() {
			if s.PID != 0 {
				dirs = append(dirs, s.Trees[0])
			}
		}
		slices.Sort(dirs)
		return dirs
	}
	for i, step := range []struct{ ask, left string }{
		{dir, ""}, {trees[0], dir}, {trees[1], trees[0]}, {dir, trees[1]}, {trees[1], dir}, {trees[0], trees[1]},
	} {
		if got, c := found(t, p, step.ask, "Alpha"); len(got) != 1 || c.State != Complete {
			t.Errorf("step %d: %s, %+v", i, got, c)
		}
		want := []string{step.ask, step.left}
		slices.Sort(want)
		if got := running(); step.left != "" && !slices.Equal(got, want) {
			t.Errorf("step %d: %s run, want %s", i, got, want)
		}
	}
	if !d.has("make room") {
		t.Errorf("events %q", d.events)
	}
}

// Servers that are in use are not stopped to make room: a further one waits, and says so.
func TestProcessLimitInUse(t *testing.T) {
	dir, trees := worktrees(t, benches(t)["toy"])
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy(lsptest.HangsOn(protocol.MethodTextDocumentHover))}, Env: environment(),
		ProcessLimit: 1,
	})
	first := view(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	hovered := make(chan struct{})
	go func() {
		defer close(hovered)
		first.Hover(ctx, At(filepath.Join(dir, "main.toy"), 1, 5))
	}()
	eventually(t, "the hover is under way", func() bool { _, spare := p.workspace.Servers()[0].Spare(); return !spare })
	v, err := p.View(t.Context(), ViewOptions{Dir: trees[0], Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Hover(t.Context(), At("main.toy", 1, 5)); err == nil || hint(err) == "" {
		t.Errorf("error %v", err)
	}
	eventually(t, "the second waits for the first", func() bool { return strings.Contains(v.Completeness().Reason, "1 language servers run") })
	cancel()
	<-hovered
	if got, _ := found(t, p, trees[0], "Alpha"); len(got) != 1 {
		t.Errorf("when the first is free: %s", got)
	}
}

func TestIdle(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	var d diary
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy()}, Env: environment(), Events: d.note, IdleTimeout: 300 * time.Millisecond, interval: 10 * time.Millisecond,
	})
	for range 2 {
		if got, c := uses(t, p); got != 1 || c.State != Complete {
			t.Fatalf("%d uses, %+v", got, c)
		}
		eventually(t, "the server stops", func() bool { return p.Status()[0].State == Idle })
		put(t, filepath.Join(dir, "more.toy"), "def Beta\n")
		p.FilesChanged("more.toy") // is no need
		p.follow1(t)
		if s := p.Status()[0]; s.State != Idle || s.PID != 0 || s.Restarts != 0 || !strings.Contains(s.Note, "nobody has asked") {
			t.Errorf("status %+v", s)
		}
		if c := p.Completeness(); c.State != Unknown || len(c.Servers) > 0 {
			t.Errorf("of no server that runs: %+v", c)
		}
	}
	if !d.has("stopped: nobody has asked for 300ms") {
		t.Errorf("events %q", d.events)
	}
}

// follow1 does what follow does once.
func (p *Project) follow1(t *testing.T) {
	t.Helper()
	p.workspace.Main.Sync()
	for _, s := range p.workspace.Main.Wanted() {
		s.FlushOrStart()
	}
}

// A server that was given up is tried again when one of its manifests changes.
func TestForgiven(t *testing.T) {
	p, dir := toyProject(t, lsptest.DiesEarly)
	for range workspace.ExitLimit {
		symbols(t, p, "Alpha")
	}
	if s := p.Status()[0]; s.State != Failed {
		t.Fatalf("status %+v", s)
	}
	put(t, filepath.Join(dir, "toy.mod"), "again\n")
	p.workspace.Main.Sync()
	if s := p.Status()[0]; s.State != Backoff {
		t.Errorf("after a change of the manifest: %+v", s)
	}
}

// A View with no budget answers with what is known, at once.
func TestNoBudget(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	language := toy(lsptest.Stuck)
	p := open(t, dir, language)
	v, err := p.View(t.Context(), ViewOptions{Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	v.Symbols(t.Context(), "Alpha")
	if c := v.Completeness(); c.State != Indexing || time.Since(begun) > 5*time.Second {
		t.Errorf("after %v: %+v", time.Since(begun), c)
	}
}

// While a query waits somebody hears of it, each thing once.
func TestWaitingIsProgress(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		var told []string
		v, err := p.View(t.Context(), ViewOptions{Progress: func(c Completeness) { told = append(told, fmt.Sprint(c.State, c.Reason, c.Servers[0].Done)) }})
		if err != nil {
			t.Fatal(err)
		}
		one(t, v, "Alpha")
		if len(told) == 0 || !strings.HasPrefix(told[0], "indexing") || len(slices.Compact(slices.Clone(told))) != len(told) {
			t.Errorf("told %q", told)
		}
		told = nil
		one(t, v, "Alpha")
		if len(told) != 0 {
			t.Errorf("told %q although nobody waited", told)
		}
	})
}
