package lsp

import (
	"path/filepath"
	"testing"
)

// A file that gopls has loaded is opened for the second question about it, one that it has not for the first.
func TestOpensForTheSecondQuestion(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "-- go.mod --\nmodule example.com/closed\n\ngo 1.26\n"+
		"-- main.go --\npackage main\n\nfunc Alpha() {}\n\nfunc main() { Alpha() }\n"+
		"-- other_plan9.go --\npackage main\n\nfunc other() { Alpha() }\n")
	v := view(t, p)
	main, other := filepath.Join(dir, "main.go"), filepath.Join(dir, "other_plan9.go")
	holds := func(path string) bool { return current(p).IsOpen(path) }
	for _, open := range []bool{false, true, true} {
		found, err := v.References(t.Context(), At(main, 3, 6), false)
		if err != nil || len(found) != 1 || holds(main) != open {
			t.Errorf("%v, %v; open: %v, want %v", brief(dir, found), err, holds(main), open)
		}
	}
	if _, err := v.Hover(t.Context(), At(other, 3, 16)); err != nil || !holds(other) {
		t.Errorf("%v; open: %v", err, holds(other))
	}
}

// What was written since is what the first question is about, though the file is not open.
func TestClosedFileThatChanged(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "-- go.mod --\nmodule example.com/closed\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc Alpha() {}\n\nfunc main() { Alpha() }\n")
	view(t, p)
	main := filepath.Join(dir, "main.go")
	put(t, main, "package main\n\nfunc main() { Alpha(); Alpha() }\n\nfunc Alpha() {}\n")
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := v.References(t.Context(), At(main, 5, 6), false); err != nil || len(found) != 2 || current(p).IsOpen(main) {
		t.Errorf("%v, %v", brief(dir, found), err)
	}
}
