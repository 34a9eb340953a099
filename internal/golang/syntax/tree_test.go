package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/filecache"
)

// A file whose tree was dropped answers the same, at the same positions.
func TestTreesAreParsedAgain(t *testing.T) {
	dir := t.TempDir()
	fs := Files{trees: filecache.Bound{Limit: 1}}
	files := fs.Read()
	var all []*File
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprintf("f%d.go", i))
		text := fmt.Sprintf("package p\n\nfunc F%d() int {\n\treturn G%d()\n}\n", i, i)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := files.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	at := Position{4, 9}
	first := make([]*tree, len(all))
	for round := range 2 {
		for i, f := range all {
			use, ok := f.Use(at)
			if !ok || use.Kind != Call || use.Enclosing != fmt.Sprintf("F%d", i) {
				t.Errorf("round %d, file %d: %+v, %v", round, i, use, ok)
			}
			tree := f.tree()
			if got := f.Position(tree.syntax.Decls[0].Pos()); got != (Position{3, 1}) {
				t.Errorf("round %d, file %d: its declaration is at %v", round, i, got)
			}
			if round > 0 && tree == first[i] {
				t.Errorf("the tree of file %d was kept", i)
			}
			first[i] = tree
		}
	}
}

// Files.Keep keeps the tree of each file: type-checking needs the same one each time.
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
	if again, _ := f.Syntax(); again != first || f.bound != nil {
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
		if got := mayReceive("package p\n\n"+text+"\n", "T"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
