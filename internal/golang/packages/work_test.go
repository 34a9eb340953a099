package packages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
)

// A bench works on the files of an archive again and again.
type bench struct {
	dir     string
	sources []string
	files   syntax.Files
	cache   Cache
}

func newBench(t *testing.T, archive string) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir()}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		b.write(t, f.Name, string(f.Data))
		if filepath.Ext(f.Name) == ".go" {
			b.sources = append(b.sources, filepath.Join(b.dir, f.Name))
		}
	}
	return b
}

func (b *bench) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) index(t *testing.T) *Index {
	t.Helper()
	w := b.cache.Begin(b.files.Read(), b.sources)
	defer w.End()
	x, err := w.Index(t.Context(), w.Directories())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// short writes a place as "dir/file.go:3".
func (b *bench) short(p fact.Place) string {
	rel, err := filepath.Rel(b.dir, p.Path)
	if p == (fact.Place{}) || err != nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), p.Line)
}

// name is that of the type or function that is declared at a place.
func (b *bench) name(x *Index, p fact.Place) string {
	if t := x.Type(p); t != nil {
		return t.Name
	}
	if fn := x.Function(p); fn != nil {
		return fn.Name
	}
	return b.short(p)
}

func compare(t *testing.T, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
