package code

import (
	"slices"
	"strconv"
	"testing"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/query"
)

// A file before a name finds what a search by name does not, and every candidate means one.
func TestFileBeforeName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"kinds/kinds.go:Color", "kinds/kinds.go:5"},
		{"kinds.go:Color", "kinds/kinds.go:5"},
	}
	q, err := zoo.begin(t.Context(), tools.Call{}, tools.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		r, err := q.Resolve(t.Context(), tt.name, query.OfKind(lsp.KindStruct, lsp.KindInterface, lsp.KindType, lsp.KindClass, lsp.KindEnum))
		if err != nil || !r.Found {
			t.Errorf("%s: %+v, %v", tt.name, r, err)
			continue
		}
		if got := q.Relative(r.Symbol.Location.Path) + ":" + strconv.Itoa(r.Symbol.Location.Range.Start.Line); got != tt.want {
			t.Errorf("%s is at %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, err := q.Resolve(t.Context(), "nowhere.go:Color"); err == nil {
		t.Error("a file that is not there has declarations")
	}
	r, err := q.Resolve(t.Context(), "kinds.go:Colour", query.OfKind(lsp.KindStruct, lsp.KindInterface, lsp.KindType, lsp.KindClass, lsp.KindEnum))
	if err != nil || !slices.Contains(r.Nearest, "Color") {
		t.Errorf("near kinds.go:Colour are %v, %v", r.Nearest, err)
	}
}
