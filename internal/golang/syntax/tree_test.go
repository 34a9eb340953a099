package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Trees of more text than the bound are dropped, the oldest first and used ones later, and a file answers the same without its tree.
func TestTreesAreBounded(t *testing.T) {
	dir := t.TempDir()
	fs := Files{trees: trees{limit: 200}}
	files := fs.Read()
	var all []*File
	for i := range 9 {
		path := filepath.Join(dir, fmt.Sprintf("f%d.go", i))
		text := fmt.Sprintf("package p\n\nfunc F%d() int {\n\treturn G%d()\n}\n// %s\n", i, i, strings.Repeat("x", 20))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := files.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	kept := func() (count int) {
		for _, f := range all {
			if f.kept.Load() != nil {
				count++
			}
		}
		return count
	}
	for range 2 {
		for i, f := range all {
			delete(f.uses, Position{4, 9})
			use, ok := f.Use(Position{4, 9})
			if !ok || use.Kind != Call || use.Enclosing != fmt.Sprintf("F%d", i) {
				t.Fatalf("file %d: %+v, %v", i, use, ok)
			}
			if all[0].tree(); kept() > 3 {
				t.Fatalf("%d trees are kept after file %d", kept(), i)
			}
			if i > 1 && all[0].kept.Load() == nil {
				t.Fatalf("the tree that is used all the time was dropped for that of file %d", i)
			}
		}
	}
	if fs.trees.bytes > 200 {
		t.Errorf("trees of %d bytes are kept", fs.trees.bytes)
	}
}

// Who keeps files for type-checking has one tree of each.
func TestKeepsTheTree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(path, []byte("package p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var fs Files
	fs.Keep(1 << 20)
	f, err := fs.Read().Open(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := f.Syntax()
	if again, _ := f.Syntax(); again != first || f.trees != nil {
		t.Error("the tree may be dropped")
	}
}

// Methods parses a file only if its text may have some, however it is written.
func TestMayReceive(t *testing.T) {
	for text, want := range map[string]bool{
		"func (t *T) M() {}":                        true,
		"func(T) M() {}":                            true,
		"  func ( t\nT) M() {}":                     true,
		"func F() {}; func (t T) M() {}":            true,
		"func F() {} func (t T) M() {}":             true,
		"/* c */ func (t T) M() {}":                 true,
		"func ((T)) M() {}":                         true,
		"func (t /* ) */ *T) M() {}":                true,
		"func (t G[T]) M() {}":                      true,
		"func (s *S) M(t T) {}":                     false,
		"func F(t T) {}":                            false,
		"var f = func(t T) {}":                      false,
		"func F() { g(func(h func(int), t T) {}) }": false,
	} {
		if got := Parse("a.go", []byte("package p\n\n"+text+"\n")).mayReceive("T"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
