package lsp

import (
	"path/filepath"
	"slices"
	"testing"
)

// A worktree of the same repository is served by the same tsserver, and finds its own files alone.
func TestTypeScriptWorktree(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "répo 1")
	write(t, dir, tsMonorepo)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "all")
	p := open(t, dir, typescriptHere(t))
	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "-q", other)
	put(t, filepath.Join(other, "app", "src", "more.ts"), "import { alpha } from \"../../core/src/user\";\nalpha(9);\n")

	here := references(t, view(t, p), dir, "alpha")
	v, err := p.View(t.Context(), ViewOptions{Dir: filepath.Join(other, "app")})
	if err != nil {
		t.Fatal(err)
	}
	there := references(t, v, other, "alpha")
	want := slices.Sorted(slices.Values(append(slices.Clone(here), "app/src/more.ts:1", "app/src/more.ts:2")))
	if !slices.Equal(there, want) || v.Completeness().State != Complete {
		t.Errorf("there: %q, %+v\nhere: %q", there, v.Completeness(), here)
	}
	if found := one(t, v, "core/src/user.User"); !slices.Equal(brief(other, []Location{found.Location}), []string{"core/src/user.ts:1:14"}) {
		t.Errorf("User is at %v", found.Location)
	}
	if got := references(t, v, other, "lib.main"); len(got) != 7 {
		t.Errorf("main: %q", got)
	}
	if again := references(t, view(t, p), dir, "alpha"); !slices.Equal(again, here) {
		t.Errorf("then here: %q", again)
	}
}
