package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every language finds, in each worktree, the files of that worktree alone.
func TestWorktreesInEveryLanguage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		language  Language
		archive   string
		name, use string // of a file, and a line that uses alpha
		processes int    // for two trees
	}{
		"typescript": {typescriptHere(t), "-- tsconfig.json --\n{\"include\": [\"src\"]}\n-- src/alpha.ts --\nexport function alpha() {}\n" +
			"-- src/user.ts --\nimport { alpha } from \"./alpha\";\nalpha();\n", "src/user.ts", "alpha();\n", 1},
		"pyright": {pyright(t), "-- pyproject.toml --\n-- alpha.py --\ndef alpha():\n    pass\n" +
			"-- user.py --\nfrom alpha import alpha\nalpha()\n", "user.py", "alpha()\n", 1},
		"clangd": {clangd(t), "-- compile_flags.txt --\n-Wall\n-- alpha.h --\nvoid alpha(void);\n-- alpha.c --\n#include \"alpha.h\"\nvoid alpha(void) {}\n" +
			"-- user.c --\n#include \"alpha.h\"\nint user(void) {\nalpha();\nreturn 0; }\n", "user.c", "int b = 0; /* b */ void more(void) { alpha(); }\n", 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir, trees := worktrees(t, bench{manifest: test.archive, name: "notes.txt", source: "notes\n"})
			p := openWith(t, Options{Root: dir, Languages: []Language{test.language}, Env: environment()})
			other := trees[1] // below the first
			uses := func(tree string) (int, Completeness) {
				v, err := p.View(t.Context(), ViewOptions{Dir: tree})
				if err != nil {
					t.Fatal(err)
				}
				symbols, err := v.Symbols(t.Context(), "alpha")
				symbols = slices.DeleteFunc(symbols, func(s Symbol) bool { return s.Kind != KindFunction })
				if err != nil || len(symbols) == 0 {
					t.Fatalf("%s: %+v, %v", tree, symbols, err)
				}
				refs, err := v.References(t.Context(), symbols[0].Location, false)
				if err != nil {
					t.Fatal(err)
				}
				for _, path := range append(paths(refs), symbols[0].Location.Path) {
					if v.foreign(path) || !strings.HasPrefix(path, tree) {
						t.Errorf("%s: %s", tree, path)
					}
				}
				return len(refs), v.Completeness()
			}
			before, c := uses(dir)
			if before == 0 || c.State != Complete {
				t.Errorf("before: %d uses, %+v", before, c)
			}
			put(t, filepath.Join(other, filepath.FromSlash(test.name)), read(t, filepath.Join(dir, filepath.FromSlash(test.name)))+test.use)
			for range 2 {
				if got, c := uses(other); got != before+1 || c.State != Complete {
					t.Errorf("in the worktree: %d uses, want %d; %+v", got, before+1, c)
				}
				if got, c := uses(dir); got != before || c.State != Complete {
					t.Errorf("in the main checkout: %d uses, want %d; %+v", got, before, c)
				}
			}
			if status := p.Status(); len(status) != test.processes {
				t.Errorf("%d processes, want %d: %+v", len(status), test.processes, status)
			}
		})
	}
}

func paths(list []Location) []string {
	var all []string
	for _, at := range list {
		all = append(all, at.Path)
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
