package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func put(t *testing.T, path, content string) {
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
