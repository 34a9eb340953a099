package text

import (
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func TestPositions(t *testing.T) {
	content := New("plain\n\tü😀x\r\n\xffbad\nlast")
	tests := []struct {
		ours Position
		wire protocol.Position
	}{
		{Position{1, 1}, protocol.Position{Line: 0, Character: 0}},
		{Position{1, 6}, protocol.Position{Line: 0, Character: 5}},
		{Position{2, 2}, protocol.Position{Line: 1, Character: 1}}, // a tab is one of each
		{Position{2, 4}, protocol.Position{Line: 1, Character: 2}}, // ü: two bytes, one unit
		{Position{2, 8}, protocol.Position{Line: 1, Character: 4}}, // 😀: four bytes, two units
		{Position{2, 9}, protocol.Position{Line: 1, Character: 5}}, // before the \r
		{Position{3, 2}, protocol.Position{Line: 2, Character: 1}}, // a byte that is not UTF-8
		{Position{4, 5}, protocol.Position{Line: 3, Character: 4}},
	}
	for _, test := range tests {
		if got := content.Wire(test.ours); got != test.wire {
			t.Errorf("wire(%v) = %v, want %v", test.ours, got, test.wire)
		}
		if got := content.Position(test.wire); got != test.ours {
			t.Errorf("position(%v) = %v, want %v", test.wire, got, test.ours)
		}
	}
}

func TestPositionsOutOfRange(t *testing.T) {
	content := New("ü\n")
	for ours, want := range map[Position]protocol.Position{
		{}:       {},
		{-4, -4}: {},
		{1, 99}:  {Line: 0, Character: 1},
		{9, 9}:   {Line: 8, Character: 0},
	} {
		if got := content.Wire(ours); got != want {
			t.Errorf("wire(%v) = %v, want %v", ours, got, want)
		}
	}
	if got := content.Position(protocol.Position{Line: 7, Character: 7}); got != (Position{8, 1}) {
		t.Errorf("beyond the end: %v", got)
	}
	if got := NewFiles(new(NonASCII)).Of("/nonexistent").Position(protocol.Position{Line: 7, Character: 7}); got != (Position{8, 8}) {
		t.Errorf("without a text: %v", got)
	}
}

func FuzzPositions(f *testing.F) {
	f.Add("a\tü😀\r\nx", uint16(0), uint16(3))
	f.Add("\xf0\x9f", uint16(0), uint16(2))
	f.Fuzz(func(t *testing.T, content string, line, column uint16) {
		x := New(content)
		at := x.Position(protocol.Position{Line: uint32(line), Character: uint32(column)})
		if again := x.Position(x.Wire(at)); again != at {
			t.Errorf("%v became %v", at, again)
		}
		if text := x.Line(int(line)); at.Column-1 > len(text) {
			t.Errorf("column %d of %q", at.Column, text)
		}
		if whole := x.Line(0); UnitsBefore(whole, len(whole)) != len(utf16.Encode([]rune(whole))) {
			t.Errorf("%q has %d units", whole, UnitsBefore(whole, len(whole)))
		}
	})
}

func TestPaths(t *testing.T) {
	for _, path := range []string{
		"/plain/file.go",
		"/with space/ü/😀.go",
		"/per%cent/a#b?c[d].go",
		"/a+b&c=d;e,f'g(h)!@$^`{}|~\\.go",
		"/" + strings.Repeat("länge ", 40) + "/x.go",
	} {
		if got := Path(URI(path)); got != path {
			t.Errorf("%q became %q", path, got)
		}
	}
	tests := map[uri.URI]string{
		"file:///with%20space/%C3%BC.go":     "/with space/ü.go",
		"file:///with%20space/%c3%bc.go":     "/with space/ü.go",
		"untitled:Untitled-1":                "",
		"https://example.com/file.go":        "",
		"":                                   "",
		"file:///a/b%2Bc%25.go":              "/a/b+c%.go",
		"file:///unencoded ü.go":             "/unencoded ü.go",
		uri.URI("file://" + "/a//b/../c.go"): "/a//b/../c.go",
	}
	for u, want := range tests {
		if got := Path(u); got != want {
			t.Errorf("Path(%q) = %q, want %q", u, got, want)
		}
	}
}
