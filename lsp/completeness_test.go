package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp/internal/golang"
	"tidepool/lsp/lsptest"
)

const helper = "package main\n\nfunc main() { helper() }\n\nfunc helper() {}\n"

const twoModules = `
-- go.mod --
module e

go 1.26
-- a.go --
package e

func F() {}
-- sub/go.mod --
module e/sub

go 1.26

require e v0.0.0

replace e => ../
-- sub/main.go --
package main

import "e"

func main() { e.F() }
`

// TestGoProjects holds Go projects in every state to what their answers are worth.
func TestGoProjects(t *testing.T) {
	t.Parallel()
	module := "-- go.mod --\nmodule e\n\ngo 1.26\n"
	work := "-- go.work --\ngo 1.26\n\nuse (\n\t.\n\t./sub\n)\n"
	tests := []struct {
		name    string
		archive string
		env     []string
		query   string
		uses    int // references to the query's symbol; -1: there is no such symbol
		state   State
		reason  string // part of it
	}{
		{"whole", module + "-- main.go --\n" + helper, nil, "helper", 1, Complete, ""},
		{"does not compile", module + "-- main.go --\n" + helper + "-- b.go --\npackage main\n\nfunc b() { /* ü */ helper(); undefined1(); undefined2() }\n",
			nil, "helper", 2, Partial, "does not compile: b.go:3:31: undefined: undefined1 (and 1 more errors)"},
		{"does not parse", module + "-- main.go --\n" + helper + "-- b.go --\npackage main\n\nfunc b( { helper() }\n",
			nil, "helper", 1, Partial, "does not compile: b.go:3:9"},
		{"test does not compile", module + "-- main.go --\n" + helper + "-- b_test.go --\npackage main\n\nfunc b() { helpe() }\n",
			nil, "helper", 1, Partial, "b_test.go:3:12"},
		{"import cycle", module + "-- main.go --\n" + helper + "-- a/a.go --\npackage a\n\nimport _ \"e/b\"\n-- b/b.go --\npackage b\n\nimport _ \"e/a\"\n",
			nil, "helper", 1, Partial, "import cycle"},
		{"missing dependency", module + "-- main.go --\n" + helper + "-- b.go --\npackage main\n\nimport _ \"example.com/none\"\n",
			[]string{"GOPROXY=off"}, "helper", 1, Partial, "could not import example.com/none"},
		{"broken go.mod", "-- go.mod --\nmodul e\n-- main.go --\n" + helper, nil, "helper", -1, Partial, "go.mod:1:1"},
		{"newer Go", "-- go.mod --\nmodule e\n\ngo 1.99\n-- main.go --\n" + helper, []string{"GOTOOLCHAIN=local"}, "helper", -1, Partial, "requires go >= 1.99"},
		{"unknown GOFLAGS", module + "-- main.go --\n" + helper, []string{"GOFLAGS=-nosuchflag"}, "helper", -1, Partial, "could not load the project"},
		{"no go command", module + "-- main.go --\n" + helper, []string{"PATH=/nonexistent"}, "helper", -1, Partial, "go command required"},
		{"other system's file", module + "-- main.go --\n" + helper + "-- b_plan9.go --\npackage main\n\nfunc b() { helper() }\n",
			nil, "helper", 1, Partial, "b_plan9.go mentions helper but is left out of the build"},
		{"other system's file says nothing of it", module + "-- main.go --\n" + helper + "-- b_plan9.go --\npackage main\n\nfunc b() { helpers() }\n",
			nil, "helper", 1, Complete, ""},
		{"tagged file", module + "-- main.go --\n" + helper + "-- b.go --\n//go:build big\n\npackage main\n\nfunc b() { helper() }\n",
			nil, "helper", 1, Partial, "b.go mentions helper"},
		{"tagged file, with the tag", module + "-- main.go --\n" + helper + "-- b.go --\n//go:build big\n\npackage main\n\nfunc b() { helper() }\n",
			[]string{"GOFLAGS=-tags=big"}, "helper", 2, Complete, ""},
		{"module below", twoModules, nil, "F", 1, Complete, ""},
		{"go.work", work + twoModules[1:], nil, "F", 1, Complete, ""},
		{"go.work, off", work + twoModules[1:], []string{"GOWORK=off"}, "F", 0, Partial, "sub/main.go mentions F"},
		{"go.work names no module", "-- go.work --\ngo 1.26\n\nuse ./none\n" + module + "-- main.go --\n" + helper,
			nil, "helper", -1, Partial, "go.work:3:1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, test.archive)
			p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment(test.env...)})
			v := view(t, p)
			found, err := v.Symbols(t.Context(), test.query)
			if err != nil || len(found) == 0 != (test.uses < 0) {
				t.Fatalf("symbols %+v, %v", found, err)
			}
			if len(found) > 0 {
				refs, err := v.References(t.Context(), found[0].Location, false)
				if err != nil || len(refs) != test.uses {
					t.Errorf("%d uses, want %d; %v", len(refs), test.uses, err)
				}
			}
			c := v.Completeness()
			if c.State != test.state || !strings.Contains(c.Reason, test.reason) || (c.Reason == "") != (test.reason == "") {
				t.Errorf("%s %q, want %s %q", c.State, c.Reason, test.state, test.reason)
			}
		})
	}
}

// TestServersThatSayLess takes what servers report of their work at their word, and no more.
func TestServersThatSayLess(t *testing.T) {
	t.Parallel()
	unreported := toy()
	unreported.LoadTitle, unreported.CheckTitle = "", ""
	unchecked := toy()
	unchecked.CheckTitle = ""
	tests := []struct {
		name     string
		language Language
		state    State
		reason   string
	}{
		{"everything", toy(), Complete, ""},
		{"nothing, against expectation", toy(lsptest.Mute), Indexing, "still loading"},
		{"nothing, as known", unreported, Unknown, "does not tell"},
		{"loading, not checking", unchecked, Unknown, "does not tell"},
		{"never done loading", toy(lsptest.Stuck), Indexing, "still loading"},
		{"could not load", toy(lsptest.LoadFails), Partial, "could not load the project: Error loading packages: no toys"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
			options := Options{Root: dir, Languages: []Language{test.language}, Env: environment()}
			if test.state == Indexing {
				options.ReadyBudget = 100 * time.Millisecond // it will not be ready in any
			}
			p := openWith(t, options)
			eventually(t, "the first answer of the server", func() bool {
				found, err := view(t, p).Symbols(t.Context(), "Alpha")
				return err == nil && len(found) == 1
			})
			got, c := uses(t, p)
			if got != 1 || c.State != test.state || !strings.Contains(c.Reason, test.reason) {
				t.Errorf("%d uses, %+v", got, c)
			}
			if len(c.Servers) != 1 || c.Servers[0].Language != "toy" || c.Servers[0].Since.IsZero() {
				t.Errorf("servers %+v", c.Servers)
			}
		})
	}
}

func TestWaitReady(t *testing.T) {
	t.Parallel()
	p, _ := toyProject(t, lsptest.Stuck)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.WaitReady(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stuck: %v", err)
	}
	eventually(t, "the server is loading", func() bool { return p.Status()[0].State == Loading })
	p, _ = toyProject(t)
	if err := p.WaitReady(t.Context()); err != nil {
		t.Error(err)
	}
	if s := p.Status()[0]; s.State != Ready || s.PID == 0 || s.Language != "toy" {
		t.Errorf("status %+v", s)
	}
}

// TestSymbolLimit has more symbols of a kind than the server lists.
func TestSymbolLimit(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"gopls": golang.Language().SymbolLimit, "toy": lsptest.Limit} {
		b := benches(t)[name]
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, b.manifest)
			put(t, filepath.Join(dir, b.name), b.source)
			for i := range limit + 1 {
				put(t, filepath.Join(dir, fmt.Sprintf("z%d%s", i, filepath.Ext(b.name))), b.more(fmt.Sprintf("Many%d", i), 0, 0))
			}
			v := view(t, open(t, dir, b.language))
			if one(t, v, "Many7"); v.Completeness().State != Complete {
				t.Errorf("one of many: %+v", v.Completeness())
			}
			found, err := v.Symbols(t.Context(), "Many")
			if err != nil || len(found) != limit {
				t.Fatalf("%d symbols, %v", len(found), err)
			}
			if c := v.Completeness(); c.State != Partial || !strings.Contains(c.Reason, fmt.Sprintf("only the first %d symbols", limit)) {
				t.Errorf("completeness %+v", c)
			}
		})
	}
}

// TestTwoLanguages serves both at once, then with one of the programs missing.
func TestTwoLanguages(t *testing.T) {
	t.Parallel()
	all := benches(t)
	dir := t.TempDir()
	for _, b := range all {
		write(t, dir, b.manifest)
		put(t, filepath.Join(dir, b.name), b.source)
	}
	p := open(t, dir, all["gopls"].language, all["toy"].language)
	v := view(t, p)
	found, err := v.Symbols(t.Context(), "Alpha")
	if err != nil || len(found) != 2 || found[0].Language != "go" || found[1].Language != "toy" {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, s := range found {
		if refs, err := v.References(t.Context(), s.Location, false); err != nil || len(refs) != 1 {
			t.Errorf("%s: %+v, %v", s.Language, refs, err)
		}
	}
	if c := v.Completeness(); c.State != Complete || len(c.Servers) != 2 {
		t.Errorf("completeness %+v", c)
	}
	if _, err := v.Hover(t.Context(), At(filepath.Join(dir, "toy.mod"), 1, 1)); err == nil {
		t.Error("a hover in a file that nobody reads")
	}

	absent := toy()
	absent.Command = []string{"no-such-toy-server"}
	v = view(t, open(t, dir, all["gopls"].language, absent))
	if found, err := v.Symbols(t.Context(), "Alpha"); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if c := v.Completeness(); c.State != Partial || c.Reason != "no language server for Toy: no-such-toy-server is not on PATH" {
		t.Errorf("completeness %+v", c)
	}
}

// TestTooManyFiles says how many files nobody follows.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	big(t, dir, 50)
	language := gopls(t)
	p := openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment(), files: 30})
	if _, c := usesOf(t, p, "F007"); c.UnsyncedFiles != 22 || c.State != Partial || c.Reason != "22 source files are too many to follow on the disk" {
		t.Errorf("completeness %+v", c)
	}
}
