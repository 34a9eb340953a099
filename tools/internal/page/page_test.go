package page

import (
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// Sources are foreign text: what they hold must not move a cursor, fake a line or flood a context.
func TestTextIsPlain(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a\x1b[31mred\x1b[0m", "a[31mred[0m"},
		{"a\r\nfake.go:1: b", "a fake.go:1: b"},
		{"tab\there", "tab here"},
		{"bell\a \u202eevil \xff", "bell evil"},
		{"ü 世界  ", "ü 世界"},
	}
	for _, tt := range tests {
		var p Page
		p.Line("%s", tt.in)
		if got := p.String(); got != tt.want+"\n" {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestMessageKeepsItsLines(t *testing.T) {
	for in, want := range map[string]string{
		"no database\r\n\nHint: run\x1b bd\nfake": "missing: no database\n  Hint: run bd\n  fake\n",
		"one":      "missing: one\n",
		"":         "missing:\n",
		"\nsecond": "missing:\n  second\n",
	} {
		var p Page
		p.Message("missing: ", in)
		if got := p.String(); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestListSaysHowManyItCuts(t *testing.T) {
	var p Page
	List(&p, []int{1, 2, 3, 4}, 2, func(n int) { p.Line("%d", n) })
	if got, want := p.Closing(lsp.Completeness{State: lsp.Complete}), "1\n2\n… 2 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIncompleteness(t *testing.T) {
	tests := []struct {
		in   lsp.Completeness
		want string
	}{
		{lsp.Completeness{State: lsp.Complete}, ""},
		{lsp.Completeness{State: lsp.Indexing, Reason: "gopls has loaded 3 of 9"}, "indexing: gopls has loaded 3 of 9; ask again in a moment for the rest"},
		{lsp.Completeness{State: lsp.Partial, Reason: "2 files do not compile"}, "partial: 2 files do not compile"},
		{lsp.Completeness{State: lsp.Unknown}, "unknown"},
	}
	for _, tt := range tests {
		if got := query.Incompleteness(tt.in); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := Warning("", lsp.Completeness{State: lsp.Complete}); got != nil {
		t.Errorf("a complete answer warns: %s", *got)
	}
	if got := Warning("not found", lsp.Completeness{State: lsp.Unknown}); got == nil || *got != "not found; unknown" {
		t.Errorf("got %v", got)
	}
}
