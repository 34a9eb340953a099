package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp/internal/text"
)

// What holds for gopls and the toy holds for the others: each client is answered for its own text, in whatever order
// they ask, and tools for the disk.
func TestProxyTextsStayApartInEveryLanguage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		language         Language
		more             string // txtar
		source, name     string // of a file that declares alpha on its first line
		user             string // name of a file that uses it
		before, use, end string // of what uses it
	}{
		"typescript": {
			language: typescriptHere(t), more: "-- package.json --\n{}\n-- tsconfig.json --\n{}\n",
			name: "alpha.ts", source: "export function alpha() {}\n",
			user: "user.ts", before: "import { alpha } from './alpha'\n", use: "alpha()\n",
		},
		"pyright": {
			language: pyright(t), more: "-- pyproject.toml --\n",
			name: "alpha.py", source: "def alpha():\n    pass\n",
			user: "user.py", before: "from alpha import alpha\n", use: "alpha()\n",
		},
		"clangd": {
			language: clangd(t), more: "-- compile_flags.txt --\n-Wall\n-- alpha.h --\nvoid alpha(void);\n",
			name: "alpha.c", source: "void alpha(void) {}\n",
			user: "user.c", before: "#include \"alpha.h\"\nvoid user(void) {\n", use: "alpha();\n", end: "}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, test.more)
			text := func(uses int) string { return test.before + strings.Repeat(test.use, uses) + test.end }
			path, user := filepath.Join(dir, test.name), filepath.Join(dir, test.user)
			put(t, path, test.source)
			put(t, user, text(1))
			p := openWith(t, Options{Root: dir, Languages: []Language{test.language}, Env: environment()})
			if err := p.WaitReady(t.Context()); err != nil {
				t.Fatal(err)
			}
			first, second, third := greeted(t, p), greeted(t, p), greeted(t, p)
			first.open(user, text(3))
			second.open(user, text(2))
			at := strings.Index(test.source, "alpha")
			unused := strings.Count(first.references(path, 0, at), test.user) - 3 // imports
			for round := range 3 {
				for who, want := range map[*peer]int{first: 3, second: 2, third: 1} {
					if found := strings.Count(who.references(path, 0, at), test.user) - unused; found != want {
						t.Errorf("round %d: %d uses in %s, want %d", round, found, test.user, want)
					}
				}
				uses, err := view(t, p).References(t.Context(), At(path, 1, at+1), false)
				found := -unused
				for _, use := range uses {
					if use.Path == user {
						found++
					}
				}
				if err != nil || found != 1 {
					t.Errorf("round %d: tools see %v, %v", round, brief(dir, uses), err)
				}
			}
		})
	}
}

// A client in another worktree is answered about its own files by the same server.
func TestProxyWorktree(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home")
	write(t, dir, "-- go.mod --\nmodule example.com/home\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc Alpha() {}\n\nfunc main() { Alpha() }\n")
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "all")
	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "-q", other)
	put(t, filepath.Join(other, "more.go"), "package main\n\nfunc more() { Alpha(); Alpha() }\n")
	p := open(t, dir, gopls(t))
	here, there := greeted(t, p), dialedFrom(t, p, other).greet()
	for range 2 {
		if got := here.references(filepath.Join(dir, "main.go"), 2, 5); got != "main.go:3 main.go:5" {
			t.Errorf("here: %s", got)
		}
		if got := there.references(filepath.Join(other, "main.go"), 2, 5); got != "main.go:3 main.go:5 more.go:3 more.go:3" {
			t.Errorf("there: %s", got)
		}
		for who, root := range map[*peer]string{here: dir, there: other} {
			found := who.call("workspace/symbol", `{"query":"Alpha"}`)
			if strings.Count(found, `"uri"`) != 1 || !strings.Contains(found, string(text.URI(filepath.Join(root, "main.go")))) {
				t.Errorf("symbols of %s: %s", root, found)
			}
		}
	}
}
