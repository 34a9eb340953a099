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
	p, dir := npmProject(t, tsMonorepo)
	before := references(t, view(t, p), dir, "alpha")
	pids, err := exec.Command("pgrep", "-P", strconv.Itoa(p.Status()[0].PID)).Output()
	if err != nil {
		t.Fatal(err)
	}
	ended := current(p).gone
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

// TypeScript 7 has no tsserver: without another one beside the language server there is none, and the answer says so.
func TestTypeScriptWithoutServer(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- tsconfig.json --\n{}\n-- a.ts --\nexport const a = 1;\n"+
		"-- node_modules/typescript/package.json --\n{\"name\": \"typescript\", \"version\": \"7.0.0\"}\n")
	language := typescriptHere(t)
	program, err := filepath.EvalSymlinks(language.Command[0])
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "typescript-language-server") // nothing is beside this one
	if err := os.CopyFS(alone, os.DirFS(filepath.Dir(filepath.Dir(program)))); err != nil {
		t.Fatal(err)
	}
	language.Command[0] = filepath.Join(alone, "lib", filepath.Base(program))
	v, err := open(t, dir, language).View(t.Context(), ViewOptions{})
	if err == nil {
		_, err = v.Symbols(t.Context(), "a")
	}
	if err == nil || !strings.Contains(err.Error(), "TypeScript 7.0.0, which has no tsserver") {
		t.Errorf("got %v", err)
	}
	var hinted interface{ Hint() string }
	if !errors.As(err, &hinted) || !strings.Contains(hinted.Hint(), "npm install") {
		t.Errorf("%v has no good hint", err)
	}
}
