package text

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestIndexFollowsFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.toy")
	put(t, path, "def größe\nuse x_1(y)\n")
	x := NewIndex()
	has := func(word string, want bool) {
		t.Helper()
		if got := x.MayMention(word, []string{path}); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
	has("größe", true)
	has("x_1", true)
	has("x", false)
	has("", true)
	put(t, path, "def other\n")
	x.Forget(path)
	has("größe", false)
	has("other", true)
	put(t, path, "\x00")
	x.Forget(path)
	has("anything", true)
	put(t, path, "use größe\n"+strings.Repeat("// so long that its words are not kept\n", indexBytes/30))
	x.Forget(path)
	has("größe", true)
	has("other", false)
}

// Files are read ahead as long as somebody waits.
func TestIndexReadsAhead(t *testing.T) {
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go")}
	for _, path := range files {
		put(t, path, "package a\n")
	}
	x := NewIndex()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	x.Read(over, files)
	if len(x.words) != 1 {
		t.Errorf("%d files read when nobody waits any more", len(x.words))
	}
	x.Read(t.Context(), files)
	if len(x.words) != 2 {
		t.Errorf("%d files read", len(x.words))
	}
	put(t, files[0], "package other\n")
	if x.MayMention("other", files) {
		t.Error("a file is read twice")
	}
}

// The index has room for the distinct words of a file, and not for each place that has one.
func TestIndexIsCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(path, []byte(strings.Repeat("one two three\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	x := NewIndex()
	if !x.MayMention("two", []string{path}) {
		t.Error("a word is not found")
	}
	if words := x.words[path]; len(words) != 3 || cap(words) > 8 {
		t.Errorf("%d words in room for %d", len(words), cap(words))
	}
}

// Converting locations keeps no text of their files.
func TestLocationsKeepNoText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) uri.URI {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return URI(path)
	}
	plain, other := write("plain", "a b\n"), write("other", "é b\n")
	files := NewFiles(new(NonASCII))
	at := protocol.Range{Start: protocol.Position{Character: 2}, End: protocol.Position{Character: 3}}
	for u, column := range map[uri.URI]int{plain: 3, other: 4} {
		for range 2 {
			if got := files.Location(protocol.Location{URI: u, Range: at}); got.Range.Start.Column != column {
				t.Errorf("%s: %+v", u, got)
			}
		}
	}
	if len(files.read) != 0 {
		t.Errorf("the texts of %d files are kept", len(files.read))
	}
}

func BenchmarkIndex(b *testing.B) {
	path := filepath.Join(b.TempDir(), "api.go")
	var code strings.Builder
	for n := range 4000 {
		fmt.Fprintf(&code, "// SetName%d sets the Name%d field's value.\nfunc (s *Output%d) SetName(v string) *Output%d {\n\ts.Name%d = &v\n\treturn s\n}\n\n", n, n, n/10, n/10, n)
	}
	put(b, path, code.String())
	x := NewIndex()
	b.SetBytes(int64(code.Len()))
	for b.Loop() {
		x.Forget(path)
		if !x.MayMention("SetName", []string{path}) {
			b.Fatal("a word is not found")
		}
	}
}
