package lsp

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// typescript-language-server outlives a tsserver that is killed, and then knows nothing of any name.
func TestTypeScriptServerIsKilled(t *testing.T) {
	t.Parallel()
	p, dir := npmProject(t, tsMonorepo)
	before := references(t, view(t, p), dir, "alpha")
	pids, err := exec.Command("pgrep", "-P", strconv.Itoa(p.Status()[0].PID)).Output()
	if err != nil {
		t.Fatal(err)
	}
	ended := current(p).Done()
	for _, pid := range strings.Fields(string(pids)) {
		number, err := strconv.Atoi(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(number, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	<-ended
	v := view(t, p)
	if after := references(t, v, dir, "alpha"); len(after) != len(before) || v.Completeness().State != Complete {
		t.Errorf("%q, %+v", after, v.Completeness())
	}
}

// What the project has may be too new to have a tsserver, or too old to be told of changes: then the one beside the
// language server serves it, and without that one the answer says why nobody does.
func TestTypeScriptVersions(t *testing.T) {
	t.Parallel()
	const project = "-- tsconfig.json --\n{}\n-- a.ts --\nexport const a = 1;\n-- b.ts --\nimport { a } from \"./a\";\na;\n"
	tests := []struct{ what, installed, want string }{
		{"new", `{"name": "typescript", "version": "7.0.0"}`, "TypeScript 7.0.0, which has no tsserver"},
		{"old", `{"name": "typescript", "version": "5.3.3"}`, "TypeScript 5.3.3, whose tsserver cannot be told of changes"},
	}
	language := typescriptHere(t)
	program, err := filepath.EvalSymlinks(language.Command[0])
	if err != nil {
		t.Fatal(err)
	}
	lonely := language
	lonely.Command = []string{filepath.Join(t.TempDir(), "typescript-language-server", "lib", filepath.Base(program)), "--stdio"}
	if err := os.CopyFS(filepath.Dir(filepath.Dir(lonely.Command[0])), os.DirFS(filepath.Dir(filepath.Dir(program)))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, project)
			put(t, filepath.Join(dir, "node_modules/typescript/package.json"), tt.installed)
			if tt.what == "old" {
				put(t, filepath.Join(dir, "node_modules/typescript/lib/tsserver.js"), "process.exit(1)")
			}
			p := open(t, dir, language)
			if uses := references(t, view(t, p), dir, "a"); len(uses) != 2 {
				t.Errorf("uses %q", uses)
			}
			put(t, filepath.Join(dir, "c.ts"), "import { a } from \"./a\";\n")
			if uses := references(t, view(t, p), dir, "a"); len(uses) != 3 {
				t.Errorf("then %q", uses)
			}
			v, err := open(t, dir, lonely).View(t.Context(), ViewOptions{})
			if err == nil {
				_, err = v.Symbols(t.Context(), "a")
			}
			var hinted interface{ Hint() string }
			if !errors.As(err, &hinted) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(hinted.Hint(), "npm install") {
				t.Errorf("alone: %v", err)
			}
		})
	}
}
