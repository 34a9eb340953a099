package lsp

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// memoryProject is a project with a server that behaves so, and what became of it.
func memoryProject(t *testing.T, options Options, behaviours ...lsptest.Behaviour) (p *Project, dir string, d *diary) {
	t.Helper()
	options.Root, d = t.TempDir(), &diary{}
	write(t, options.Root, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	options.Languages, options.Env, options.Events = []Language{toy(behaviours...)}, environment(), d.note
	p = openWith(t, options)
	view(t, p)
	return p, options.Root, d
}

// look has the project look after memory as it does every ten seconds.
func look(p *Project, limits workspace.Limits) {
	p.workspace.EnforceBudget()
	for _, s := range p.workspace.Servers() {
		s.EnforceLimits(limits)
	}
}

// A server that needs a little more than its limit, and with us more than the budget, answers all the while and is never restarted.
func TestServerThatNeedsMore(t *testing.T) {
	p, dir, d := memoryProject(t, Options{MemoryBudget: 250 << 20, MemoryLimit: 250 << 20, interval: 5 * time.Millisecond}, lsptest.Occupies(256))
	before := p.Status()[0]
	if usage := p.Memory(t.Context()); !usage.Stuck || usage.Servers[0].Bytes < 256<<20 || usage.Total < usage.Own+usage.Servers[0].Bytes {
		t.Errorf("usage %+v", usage)
	}
	for range 50 {
		if got, c := uses(t, p); got != 1 || c.State != Complete {
			t.Fatalf("%d uses, %+v", got, c)
		}
		look(p, workspace.Limits{Memory: 250 << 20})
	}
	if now := p.Status()[0]; now.PID != before.PID || now.Restarts != 0 || now.Note != "" {
		t.Errorf("status %+v, events %q; %s", now, d.events, dir)
	}
}

// A server that grows with each question is restarted while nobody waits for it, and then left alone for ten minutes, although it is
// soon as large again.
func TestServerThatGrows(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		limits  workspace.Limits
		says    string
	}{
		{"over the budget", Options{MemoryBudget: 60 << 20}, workspace.Limits{}, "more than the budget of 60 MB, and it has grown from "},
		{"over the limit", Options{}, workspace.Limits{Memory: 60 << 20}, "more than the limit of 60 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.interval = time.Hour
			p, dir, d := memoryProject(t, test.options, lsptest.Grows(256))
			grow := func() {
				t.Helper()
				v := view(t, p)
				look(p, test.limits) // so that it is known what the server needs
				if _, err := v.Hover(t.Context(), At(filepath.Join(dir, "main.toy"), 1, 5)); err != nil {
					t.Fatal(err)
				}
			}
			grow()
			before, release := p.Status()[0], p.workspace.Servers()[0].Hold()
			look(p, test.limits)
			if now := p.Status()[0]; now.PID != before.PID {
				t.Error("it was restarted while somebody waited for it")
			}
			release()
			look(p, test.limits)
			if got, c := uses(t, p); got != 1 || c.State != Complete {
				t.Errorf("%d uses, %+v", got, c)
			}
			restarted := p.Status()[0]
			if restarted.PID == before.PID || restarted.Restarts != 1 || !strings.Contains(restarted.Note, test.says) || !d.has("restarted: ") {
				t.Errorf("status %+v, events %q", restarted, d.events)
			}
			for range 3 {
				grow()
				look(p, test.limits)
			}
			if now := p.Status()[0]; now.PID != restarted.PID || now.Restarts != 1 {
				t.Errorf("restarted again: %+v, events %q", now, d.events)
			}
		})
	}
}

// A server that has ended by itself, perhaps because it met its share, is told the whole budget when it starts again.
func TestShareAfterAnEnd(t *testing.T) {
	var mu sync.Mutex
	var told []int64
	language := toy(lsptest.DiesOn(protocol.MethodTextDocumentHover))
	language.Environ = func(s *session.Session) ([]string, error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, s.Memory.Share)
		return nil, nil
	}
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	p := openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment(), MemoryBudget: 10 << 30})
	if _, err := view(t, p).Hover(t.Context(), At(filepath.Join(dir, "main.toy"), 1, 5)); err == nil {
		t.Fatal("it lives")
	}
	view(t, p)
	mu.Lock()
	defer mu.Unlock()
	if want := []int64{10 << 30 / 4 * 3, 10 << 30}; !slices.Equal(told, want) {
		t.Errorf("told %d, want %d", told, want)
	}
}

// Processes that are no language servers count, by the names of their programs.
func TestMemoryOfOthers(t *testing.T) {
	p, _, _ := memoryProject(t, Options{})
	other := exec.CommandContext(t.Context(), "cat")
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer in.Close()
	usage := p.Memory(t.Context())
	sum, named := usage.Own, false
	for _, o := range slices.Concat(usage.Servers, usage.Others) {
		sum, named = sum+o.Bytes, named || o.Name == "cat" && o.Bytes > 0
	}
	if sum != usage.Total || !named || usage.Own < 1<<20 || len(usage.Servers) != 1 || usage.Stuck {
		t.Errorf("usage %+v", usage)
	}
}

// What is no server gives way first, once.
func TestOthersGiveWayFirst(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, shopAndTill)
	others := 1
	gaveWay := func() bool {
		others--
		return others == 0
	}
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment(), MemoryBudget: 1 << 20, GiveWay: gaveWay, interval: time.Hour})
	drafting(t, p).Close()
	p.workspace.EnforceBudget()
	if draftRow(p) == nil {
		t.Error("the server for drafts was stopped before what is no server")
	}
	p.workspace.EnforceBudget()
	if row := draftRow(p); row != nil || others != -1 {
		t.Errorf("it runs on: %+v", row)
	}
}

// A server for drafts gives way when there is no draft, and the one for queries stays.
func TestDraftsGiveWay(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, shopAndTill)
	var d diary
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment(), Events: d.note, MemoryBudget: 1 << 20, interval: time.Hour})
	draft := drafting(t, p)
	p.workspace.EnforceBudget()
	if draftRow(p) == nil {
		t.Error("it was stopped while there was a draft")
	}
	draft.Close()
	before := p.Status()[0]
	p.workspace.EnforceBudget()
	if row := draftRow(p); row != nil {
		t.Errorf("it runs on: %+v", row)
	}
	if now := p.Status()[0]; now.PID != before.PID || !d.has("more than the budget of 1 MB") {
		t.Errorf("status %+v, events %q", now, d.events)
	}
	again := drafting(t, p)
	again.Close()
	p.workspace.EnforceBudget()
	if draftRow(p) == nil {
		t.Error("it was stopped twice in ten minutes")
	}
}

// A gopls that nobody asks collects its garbage, and answers afterwards.
func TestCollectsGarbageAtRest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- go.mod --\nmodule example.test/m\n\ngo 1.26\n-- a.go --\npackage m\n\nfunc Alpha() {}\n")
	language := gopls(t)
	collect, collected := language.Collect, make(chan error, 1)
	language.Collect = func(ctx context.Context, s *session.Session) error {
		err := collect(ctx, s)
		select {
		case collected <- err:
		default:
		}
		return err
	}
	p := openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment(), interval: 10 * time.Millisecond})
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-collected; err != nil {
		t.Fatal(err)
	}
	v, err := p.View(t.Context(), ViewOptions{Budget: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := v.Symbols(t.Context(), "Alpha"); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
