package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp/lsptest"
)

// A name is asked of the servers whose sources mention it; what the others know does not count.
func TestMentionsDecideWhoIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

func OnlyGo() {}

func Both() {}
-- toy.mod --
-- main.toy --
def OnlyToy
def Both
`)
	stuck := toy(lsptest.Stuck)
	p := open(t, dir, gopls(t), stuck)
	eventually(t, "gopls knows its part", func() bool {
		return slices.ContainsFunc(p.Completeness().Servers, func(s ServerCompleteness) bool { return s.Language == "go" && s.State == Complete })
	})
	tests := []struct {
		name    string
		asked   string // languages
		symbols int
		state   State
		warm    bool
	}{
		{"OnlyGo", "go", 1, Complete, true},
		{"example.com/m.OnlyGo", "go", 1, Complete, true},
		{"OnlyToy", "toy", 1, Indexing, false},
		{"Both", "go toy", 2, Indexing, false},
		{"Nobody", "go toy", 0, Indexing, false},
	}
	for _, test := range tests {
		v, err := p.View(t.Context(), ViewOptions{Budget: 3e9})
		if err != nil {
			t.Fatal(err)
		}
		if v.Warm(test.name) != test.warm || len(v.asked) > 0 {
			t.Errorf("%s: warm is %v, and %d servers were asked", test.name, !test.warm, len(v.asked))
		}
		found, err := v.Symbols(t.Context(), test.name)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, s := range v.asked {
			asked = append(asked, s.Language.ID)
		}
		slices.Sort(asked)
		c := v.Completeness()
		if strings.Join(asked, " ") != test.asked || len(found) != test.symbols || c.State != test.state || len(c.Servers) != len(asked) {
			t.Errorf("%s: asked %s, %d symbols, %+v", test.name, asked, len(found), c)
		}
	}
}

// An outline is kept until its file changes.
func TestOutlineIsKept(t *testing.T) {
	t.Parallel()
	p, dir := project(t, shop)
	names := func() string {
		outline, err := view(t, p).DocumentSymbols(t.Context(), "main.go")
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, s := range outline {
			all = append(all, s.Name)
		}
		return strings.Join(all, " ")
	}
	kept := func() int {
		if _, ok, _ := p.workspace.Servers()[0].RecallOutline(filepath.Join(dir, "main.go")); ok {
			return 1
		}
		return 0
	}
	if got := names(); got != "disk (disk).Save main" || kept() != 1 {
		t.Errorf("%s, %d kept", got, kept())
	}
	lsptest.Put(t, filepath.Join(dir, "cart", "more.go"), "package cart\n")
	if got := names(); got != "disk (disk).Save main" || kept() != 1 {
		t.Errorf("another file changed: %s, %d kept", got, kept())
	}
	lsptest.Put(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	if got := names(); got != "main" {
		t.Errorf("the file changed: %s", got)
	}
}
