package tools

import (
	"testing"

	"tidepool/lsp"
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
		got := around(symbols, lsp.At("/p/a.cpp", line, 3), naming{}, declaration{})
		if got.name != want {
			t.Errorf("line %d stands in %q, want %q", line, got.name, want)
		}
		if line == 5 && (got.at.Range.Start.Line != 4 || got.at.Path != "/p/a.cpp" || got.kind != "method") {
			t.Errorf("got %+v", got)
		}
	}
}
