package lsp

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func TestPositions(t *testing.T) {
	content := newText("plain\n\tü😀x\r\n\xffbad\nlast")
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
		if got := content.wire(test.ours); got != test.wire {
			t.Errorf("wire(%v) = %v, want %v", test.ours, got, test.wire)
		}
		if got := content.position(test.wire); got != test.ours {
			t.Errorf("position(%v) = %v, want %v", test.wire, got, test.ours)
		}
	}
}

func TestPositionsOutOfRange(t *testing.T) {
	content := newText("ü\n")
	for ours, want := range map[Position]protocol.Position{
		{}:       {},
		{-4, -4}: {},
		{1, 99}:  {Line: 0, Character: 1},
		{9, 9}:   {Line: 8, Character: 0},
	} {
		if got := content.wire(ours); got != want {
			t.Errorf("wire(%v) = %v, want %v", ours, got, want)
		}
	}
	if got := content.position(protocol.Position{Line: 7, Character: 7}); got != (Position{8, 1}) {
		t.Errorf("beyond the end: %v", got)
	}
	if got := newTexts(new(plain)).of("/nonexistent").position(protocol.Position{Line: 7, Character: 7}); got != (Position{8, 8}) {
		t.Errorf("without a text: %v", got)
	}
}

func FuzzPositions(f *testing.F) {
	f.Add("a\tü😀\r\nx", uint16(0), uint16(3))
	f.Add("\xf0\x9f", uint16(0), uint16(2))
	f.Fuzz(func(t *testing.T, content string, line, column uint16) {
		x := newText(content)
		at := x.position(protocol.Position{Line: uint32(line), Character: uint32(column)})
		if again := x.position(x.wire(at)); again != at {
			t.Errorf("%v became %v", at, again)
		}
		if text := x.line(int(line)); at.Column-1 > len(text) {
			t.Errorf("column %d of %q", at.Column, text)
		}
		if whole := x.line(0); unitsBefore(whole, len(whole)) != len(utf16.Encode([]rune(whole))) {
			t.Errorf("%q has %d units", whole, unitsBefore(whole, len(whole)))
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
		if got := pathOf(wireURI(path)); got != path {
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
		if got := pathOf(u); got != want {
			t.Errorf("pathOf(%q) = %q, want %q", u, got, want)
		}
	}
}

// TestLongPath serves a project whose path has 150 characters, spaces and ü, with Windows line ends.
func TestLongPath(t *testing.T) {
	for name, b := range benches(t) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), strings.Repeat("sehr länglich ", 8), strings.Repeat("ü %41", 8))
			if len(dir) < 150 {
				t.Fatalf("only %d bytes", len(dir))
			}
			write(t, dir, b.manifest)
			put(t, filepath.Join(dir, b.name), strings.ReplaceAll(b.source, "\n", "\r\n"))
			p := open(t, dir, b.language)
			v := view(t, p)
			refs, err := v.References(t.Context(), one(t, v, "Alpha").Location, false)
			if err != nil || len(refs) != 1 || refs[0].Path != filepath.Join(dir, b.name) {
				t.Fatalf("%+v, %v", refs, err)
			}
			line := newText(b.source).line(refs[0].Range.Start.Line - 1)
			if got := line[refs[0].Range.Start.Column-1 : refs[0].Range.End.Column-1]; got != "Alpha" {
				t.Errorf("the reference is to %q", got)
			}
		})
	}
}
