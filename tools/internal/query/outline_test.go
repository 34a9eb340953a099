package query

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/toolstest"
)

func span(first, last int) lsp.Range {
	return lsp.Range{Start: lsp.Position{Line: first, Column: 1}, End: lsp.Position{Line: last, Column: 80}}
}

func TestAround(t *testing.T) {
	symbols := []lsp.DocumentSymbol{
		{Name: "ns", Kind: lsp.KindNamespace, Range: span(1, 20), Children: []lsp.DocumentSymbol{
			{Name: "Outer", Kind: lsp.KindClass, Range: span(2, 12), Children: []lsp.DocumentSymbol{
				{Name: "Inner", Kind: lsp.KindClass, Range: span(3, 9), Children: []lsp.DocumentSymbol{
					{Name: "method", Kind: lsp.KindMethod, Range: span(4, 8), NameRange: span(4, 4), Children: []lsp.DocumentSymbol{
						{Name: "local", Kind: lsp.KindVariable, Range: span(5, 5)},
					}},
				}},
			}},
			{Name: "Outer::late", Kind: lsp.KindMethod, Range: span(14, 16)},
		}},
	}
	for line, want := range map[int]string{5: "Outer.Inner.method", 9: "Outer.Inner", 11: "Outer", 15: "Outer.late", 18: "", 30: ""} {
		got := around(symbols, lsp.At("/p/a.cpp", line, 3), Naming{}, Declaration{})
		if got.Name != want {
			t.Errorf("line %d stands in %q, want %q", line, got.Name, want)
		}
		if line == 5 && (got.At.Range.Start.Line != 4 || got.At.Path != "/p/a.cpp" || got.Kind != "method") {
			t.Errorf("got %+v", got)
		}
	}
}

// Declarations that are late leave a doubt, and nobody asks for them twice in a call.
func TestLateOutlines(t *testing.T) {
	dir := t.TempDir()
	project := toolstest.Serve(t, dir, "c", "-- compile_flags.txt --\n-- a.c --\nint a(void) { return 1; }\n", "clangd").Project
	view, err := project.View(t.Context(), lsp.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q := new(Memory).Query(view, dir, func(string) Language { return Language{} })
	at := lsp.At(filepath.Join(dir, "a.c"), 1, 5)
	over, cancel := context.WithTimeoutCause(t.Context(), 0, errListing)
	defer cancel()
	if err := q.OutlineAll(over, []lsp.Location{at}); err != nil {
		t.Fatal(err)
	}
	if c := q.Doubted(lsp.Completeness{State: lsp.Complete}); c.State != lsp.Partial || !strings.Contains(c.Reason, "not listed in time (files: 1)") {
		t.Errorf("%s %q", c.State, c.Reason)
	}
	if outer, err := q.Enclosing(t.Context(), at); err != nil || outer.Name != "" {
		t.Errorf("%+v, %v", outer, err)
	}
}
