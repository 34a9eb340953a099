package typing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

// A folder is a module on the disk whose files somebody vouches for.
type folder struct {
	dir      string
	revision map[string]int64
	files    syntax.Files
	memory   Memory
}

func newFolder(t *testing.T) *folder {
	f := &folder{dir: t.TempDir(), revision: make(map[string]int64)}
	f.write(t, "go.mod", "module m\n")
	return f
}

func (f *folder) write(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f.revision[path]++
	return path
}

// reader is one of a new query.
func (f *folder) reader() *Reader {
	files := f.files.Read()
	revisionOf := func(path string) (int64, bool) { return f.revision[path], f.revision[path] != 0 }
	files.ReuseRevisions(revisionOf)
	return &Reader{Files: files, LeftOut: leftOut, Memory: &f.memory, Revision: revisionOf}
}

// lines are those of places, in files by their base names.
func lines(places []lsp.Location) []string {
	var all []string
	for _, at := range places {
		all = append(all, fmt.Sprint(filepath.Base(at.Path), ":", at.Range.Start.Line))
	}
	return all
}

func usedIn(uses []OpenUse) []string {
	var places []lsp.Location
	for _, u := range uses {
		places = append(places, u.At)
	}
	return lines(places)
}

// The text leaves open what a parameter of an interface's type names, and what it cannot follow; not what the standard library tells.
func TestOpenUses(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", `package m

import (
	"bytes"
	"fmt"
	"time"
)

type T struct{}

func (T) String() string { return "" }

func open(s fmt.Stringer, all []fmt.Stringer) {
	_ = s.String()
	_ = all[0].String()
	_ = T{}.String
	_ = time.Now().UTC().String()
	var b bytes.Buffer
	_, _, _ = b.String(), b.String(), b.String()
	_, _, _ = b.String(), b.String(), b.String()
	_, _, _ = b.String(), b.String(), b.String()
}
`)
	all := func() ([]string, error) { return []string{path}, nil }
	got, err := f.reader().OpenUses(t.Context(), Named{"String", true}, 1, all)
	if want := []string{"m.go:14", "m.go:15"}; err != nil || !slices.Equal(usedIn(got), want) {
		t.Errorf("got %v, %v; want %v", usedIn(got), err, want)
	}
}

// Open uses are looked for once in each revision of a tree.
func TestOpenUsesAreKept(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", "package m\n\nfunc f(x interface{ M() }) { x.M() }\n")
	all := func() ([]string, error) { return []string{path}, nil }
	ask := func(tree int64, files func() ([]string, error)) []string {
		t.Helper()
		got, err := f.reader().OpenUses(t.Context(), Named{Name: "M"}, tree, files)
		if err != nil {
			t.Fatal(err)
		}
		return usedIn(got)
	}
	never := func() ([]string, error) { return nil, errors.New("the files are asked for") }
	if got := ask(1, all); !slices.Equal(got, []string{"m.go:3"}) {
		t.Errorf("at first %v", got)
	}
	if got := ask(1, never); !slices.Equal(got, []string{"m.go:3"}) {
		t.Errorf("again %v", got)
	}
	f.write(t, "m.go", "package m\n\nfunc f(x interface{ M() }) {\n\tx.M()\n\tx.M()\n}\n")
	if got := ask(2, all); !slices.Equal(got, []string{"m.go:4", "m.go:5"}) {
		t.Errorf("after a change %v", got)
	}
	unvouched := f.reader()
	unvouched.Revision = nil
	if _, err := unvouched.OpenUses(t.Context(), Named{Name: "M"}, 2, never); err == nil {
		t.Error("kept although nobody vouches for the files")
	}
}

// A file without an unnamed interface is not opened twice, unless it has changed.
func TestUnnamedInterfacesOfUnchangedFiles(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", "package m\n\ntype I interface{ M() }\n")
	tree, files := int64(0), func() ([]string, error) { return []string{path}, nil }
	ask := func() []string {
		tree++
		all, err := f.reader().UnnamedInterfaces(t.Context(), "M", tree, files)
		if err != nil {
			t.Error(err)
		}
		return lines(all)
	}
	if got := ask(); got != nil {
		t.Errorf("of a named interface: %v", got)
	}
	text := []byte("package m\n\nvar x interface{ M() }\n")
	if err := os.WriteFile(path, text, 0o600); err != nil { // under the same revision: nobody looks
		t.Fatal(err)
	}
	f.files = syntax.Files{}
	if got := ask(); got != nil {
		t.Errorf("the file was opened again: %v", got)
	}
	f.revision[path]++
	if got := ask(); !slices.Equal(got, []string{"m.go:3"}) {
		t.Errorf("after a change: %v", got)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.reader().UnnamedInterfaces(over, "M", tree+1, files); !errors.Is(err, context.Canceled) {
		t.Errorf("read on although nobody waits: %v", err)
	}
}
