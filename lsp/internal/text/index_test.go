package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
