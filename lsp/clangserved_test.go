package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tidepool/lsp/internal/session"
)

// What is open serves as its own index: it is not compiled for that of the files, and yet every answer is fresh, also
// once it is closed, does not compile for a while, or another server starts.
func TestClangOpenDocumentServes(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(session.OpenLimit+3, "used"))
	clangFresh(t, p, dir, "at first", "used")
	outline := func(n int) {
		t.Helper()
		if _, err := view(t, p).DocumentSymbols(t.Context(), fmt.Sprintf("src/f%d.c", n)); err != nil {
			t.Fatal(err)
		}
	}
	outline(0)
	file := filepath.Join(dir, "src/f0.c")
	for i, text := range []string{
		"#include \"lib.h\"\nint f0(void) { return used(1) + used(2); }\n",
		"#include \"lib.h\"\n\n\nint f0(void) { return used(1); }\n",
		"#include \"lib.h\"\nint f0(void) { return 0; }\n",
		"#include \"lib.h\"\nint g0(void) { return used(3); }\n",
	} {
		put(t, file, text)
		clangFresh(t, p, dir, fmt.Sprintf("after edit %d", i), "used")
	}
	if made := clangAgain(t, dir); len(made) != 0 {
		t.Errorf("to be read again there are %v", made)
	}
	put(t, file, "#include \"lib.h\"\nint g0(void) { return used(3) + lost; }\n")
	if _, c := clangUses(t, p, "used"); c.State != Partial {
		t.Errorf("with an error: %s %s", c.State, c.Reason)
	}
	put(t, file, "#include \"lib.h\"\nint h0(void) { return used(3); }\n")
	clangFresh(t, p, dir, "mended", "used")
	put(t, file, "#include \"lib.h\"\n#include \"more.h\"\nint h0(void) { return used(4); }\n")
	put(t, filepath.Join(dir, "include/more.h"), "#include \"lib.h\"\nstatic inline int more(void) { return used(5); }\n")
	clangFresh(t, p, dir, "with a header more", "used")
	for n := range session.OpenLimit + 2 {
		outline(n + 1)
	}
	put(t, file, "#include \"lib.h\"\n\nint h0(void) { return used(4); }\n")
	clangFresh(t, p, dir, "closed", "used")
	outline(0)
	put(t, file, "#include \"lib.h\"\n\n\nint h0(void) { return used(4) + used(5); }\n")
	clangFresh(t, p, dir, "open again", "used")
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	p = open(t, dir, clangd(t))
	clangFresh(t, p, dir, "with another server", "used")
}

// The store keeps nothing of files that are gone, whether a server saw them go or not.
func TestClangStoreForgetsFiles(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(4, "used"))
	clangFresh(t, p, dir, "at first", "used")
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	remove("src/f0.c")
	clangFresh(t, p, dir, "without one", "used")
	put(t, filepath.Join(dir, "src/f3.c"), "#include \"lib.h\"\nint f3(void) { return lost; }\n")
	if _, c := clangUses(t, p, "lost"); c.State != Partial {
		t.Errorf("a file that does not compile: %s", c.State)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"src/f1.c", "src/f3.c"} {
		remove(name)
	}
	p = open(t, dir, clangd(t))
	clangFresh(t, p, dir, "without two more", "used")
	for n, want := range []int{0, 0, 1, 0} {
		kept, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf(".tidepool/clangd/.cache/clangd/index/f%d.c.*.idx", n)))
		if err != nil || len(kept) != want {
			t.Errorf("of f%d.c there is kept %v, %v; want %d", n, kept, err, want)
		}
	}
}

// clangAgain are the sources that were made to have files read again.
func clangAgain(t *testing.T, dir string) []string {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(dir, ".tidepool/clangd/sources", "tidepool-again-*"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".tidepool/clangd/sources", "tidepool-blank.c")); err != nil {
		t.Fatal(err)
	}
	return made
}

// What the server finds in a header by itself is less than what its includer sees, and comes first: then the answer
// lacks something, also once the header is closed, until it compiles by itself.
func TestClangHeaderThatNeedsItsIncluder(t *testing.T) {
	t.Parallel()
	p, dir := clangProject(t, clangCallers(3, "used"))
	clangFresh(t, p, dir, "at first", "used")
	if _, err := view(t, p).DocumentSymbols(t.Context(), "src/f0.c"); err != nil {
		t.Fatal(err)
	}
	header := filepath.Join(dir, "include/more.h")
	put(t, header, "static inline int more(void) { return used(5); }\n")
	put(t, filepath.Join(dir, "src/f0.c"), "#include \"lib.h\"\n#include \"more.h\"\nint f0(void) { return used(4); }\n")
	for range 2 {
		found, c := clangUses(t, p, "used")
		if c.State == Complete && !slices.Equal(found, clangMentions(t, dir, "used")) {
			t.Errorf("complete, but found %v", found)
		}
		put(t, header, "\nstatic inline int more(void) { return used(6); }\n")
	}
	put(t, header, "#include \"lib.h\"\nstatic inline int more(void) { return used(7); }\n")
	clangFresh(t, p, dir, "mended", "used")
}
