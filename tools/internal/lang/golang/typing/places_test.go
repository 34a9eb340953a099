package typing

import (
	"fmt"
	"os"
	"testing"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
)

const calling = "package m\n\nimport other \"m/p\"\n\nfunc f(x other.T) { x.M() }\n"

// The memory answers about a place as long as the file has the same revision. A file without a revision is read each time.
func TestPlacesAreKept(t *testing.T) {
	f := newFolder(t)
	f.write(t, "p/p.go", "package p\n\ntype T struct{}\n\nfunc (T) M() {}\n")
	path := f.write(t, "m.go", calling)
	asked := func(r *Reader) string {
		at := lsp.At(path, 5, 24)
		use, in, ok, err := r.Use(at)
		if err != nil || !ok {
			return fmt.Sprint(ok, err)
		}
		method, _ := r.Method(at, "M")
		return fmt.Sprintf("%s in %s of %s: line %d", use.Kind, use.Enclosing, in.Package, method.Line)
	}
	const want = "call in f of m: line 5"
	if got := asked(f.reader()); got != want {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(path, []byte("package m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := asked(f.reader()); got != want {
		t.Errorf("the file was read again: %q", got)
	}
	unvouched := f.reader()
	unvouched.Revision, unvouched.Files = nil, f.files.Read()
	if got := asked(unvouched); got != "false <nil>" {
		t.Errorf("nobody vouches for the file: %q", got)
	}
	f.write(t, "m.go", "package m\n\nimport other \"m/p\"\n\nvar f = other.T{} .M\n")
	if got := asked(f.reader()); got != "false <nil>" {
		t.Errorf("the file has changed: %q", got)
	}
}

// A query that has opened a file before it changed keeps nothing of it as of the new text.
func TestPlacesOfAnOlderText(t *testing.T) {
	f := newFolder(t)
	path := f.write(t, "m.go", calling)
	old := f.reader()
	if _, err := old.Files.Open(path); err != nil {
		t.Fatal(err)
	}
	f.write(t, "m.go", "package m\n")
	at := lsp.At(path, 5, 24)
	if _, _, ok, err := old.Use(at); !ok || err != nil {
		t.Fatalf("%t, %v: of what it has opened", ok, err)
	}
	if _, _, ok, err := f.reader().Use(at); ok || err != nil {
		t.Errorf("%t, %v: of the new text", ok, err)
	}
}

// A definition is kept for one revision of the tree, and of a file that has a revision.
func TestDefinitionsAreKept(t *testing.T) {
	f := newFolder(t)
	r, at := f.reader(), lsp.At(f.write(t, "m.go", calling), 5, 24)
	if _, _, _, err := r.Use(at); err != nil {
		t.Fatal(err)
	}
	r.KeepDefinition(1, at, ErrorMethod())
	if got, ok := f.reader().Definition(1, at); !ok || got != ErrorMethod() {
		t.Errorf("got %v, %t", got, ok)
	}
	if _, ok := f.reader().Definition(2, at); ok {
		t.Error("kept although the tree has changed")
	}
	unvouched := f.reader()
	unvouched.Revision = nil
	if _, ok := unvouched.Definition(1, at); ok {
		t.Error("kept although nobody vouches for the files")
	}
	f.write(t, "m.go", calling)
	if _, ok := f.reader().Definition(1, at); ok {
		t.Error("kept although the file has changed")
	}
}

// No more places are kept than the bound says; those of the file that was asked about last are.
func TestFewPlacesAreKept(t *testing.T) {
	var k keptPlaces
	const each = maxPlaces/4 + 1
	for n := range 8 {
		in := &syntax.Scope{Path: fmt.Sprint(n)}
		for line := range each {
			k.keep(in, 1, syntax.Position{Line: line}, place{})
		}
		if _, _, ok := k.lookup(in.Path, 1, syntax.Position{Line: each - 1}); !ok || k.size > maxPlaces || k.size < each {
			t.Errorf("after %d files: %d places, the last %t", n+1, k.size, ok)
		}
	}
	k.keep(&syntax.Scope{Path: "7"}, 2, syntax.Position{}, place{})
	kept := 0
	for _, of := range k.of {
		kept += len(of.all)
	}
	if kept != k.size {
		t.Errorf("%d places are counted as %d", kept, k.size)
	}
}
