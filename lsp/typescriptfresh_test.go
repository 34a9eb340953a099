package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A change on the disk counts for the first question after it, whatever it is.
func TestTypeScriptIsFresh(t *testing.T) {
	t.Parallel()
	p, dir := npmProject(t, tsMonorepo)
	before := references(t, view(t, p), dir, "alpha")
	use := "import { alpha } from \"../../core/src/user\";\nalpha(7);\n"
	in := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	steps := []struct {
		what   string
		change func()
		more   []string // besides before
	}{
		{"created", func() { put(t, in("app/src/new.ts"), use) }, []string{"app/src/new.ts:1", "app/src/new.ts:2"}},
		{"changed", func() { put(t, in("app/src/new.ts"), "\n"+use) }, []string{"app/src/new.ts:2", "app/src/new.ts:3"}},
		{"renamed", func() { rename(t, in("app/src/new.ts"), in("app/src/old.ts")) }, []string{"app/src/old.ts:2", "app/src/old.ts:3"}},
		{"in a new directory", func() { rename(t, in("app/src/old.ts"), in("app/more/old.ts")) }, []string{"app/more/old.ts:2", "app/more/old.ts:3"}},
		{"deleted", func() { os.RemoveAll(in("app/more")) }, nil},
		{"left out", func() {
			replace(t, in("app/tsconfig.web.json"), `"include": ["src"]`, `"include": ["src"], "exclude": ["src/b.ts"]`)
			put(t, in("app/src/b.ts"), use)
		}, []string{"app/src/b.ts:1", "app/src/b.ts:2"}},
		{"back in", func() { replace(t, in("app/tsconfig.web.json"), `, "exclude": ["src/b.ts"]`, "") }, []string{"app/src/b.ts:1", "app/src/b.ts:2"}},
		{"a new project", func() {
			rename(t, in("app/src/b.ts"), in("web/src/b.ts"))
			put(t, in("web/tsconfig.json"), `{"extends": "../tsconfig.base.json", "include": ["src"], "references": [{"path": "../core"}]}`)
		}, []string{"web/src/b.ts:1", "web/src/b.ts:2"}},
		{"no project", func() { os.Remove(in("web/tsconfig.json")) }, []string{"web/src/b.ts:1", "web/src/b.ts:2"}},
		{"gone", func() { os.RemoveAll(in("web")) }, nil},
	}
	for _, step := range steps {
		step.change()
		v := view(t, p)
		want := slices.Sorted(slices.Values(append(slices.Clone(before), step.more...)))
		if got := references(t, v, dir, "alpha"); !slices.Equal(got, want) {
			t.Errorf("%s: %q\nwant %q", step.what, got, want)
		}
		if c := v.Completeness(); c.State != Complete {
			t.Errorf("%s: %+v", step.what, c)
		}
	}
}

// A file that changes while the project is being loaded is not missed either.
func TestTypeScriptChangesWhileLoading(t *testing.T) {
	t.Parallel()
	p, dir := npmProject(t, tsMonorepo)
	path := filepath.Join(dir, "app", "src", "main.tsx")
	for n := 1; n <= 20; n++ {
		put(t, path, "import { alpha } from \"../../core/src/user\";\n"+strings.Repeat("alpha(1);\n", n))
		v, err := p.View(t.Context(), ViewOptions{Budget: -1})
		if err != nil {
			t.Fatal(err)
		}
		if v.Completeness().State == Complete {
			break
		}
	}
	uses := strings.Count(fmt.Sprint(references(t, view(t, p), dir, "alpha")), "main.tsx")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Count(string(data), "alpha"); uses != want {
		t.Errorf("%d uses, want %d", uses, want)
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func replace(t testing.TB, path, old, with string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(data), old, with, 1))
}
