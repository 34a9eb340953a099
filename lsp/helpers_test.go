package lsp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// goplsPath finds the gopls that `make bin/gopls` builds, else one on PATH.
func goplsPath(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err != nil {
			continue
		}
		if path := filepath.Join(dir, "bin", "gopls"); executable(path) {
			return path
		}
	}
	path, err := exec.LookPath("gopls")
	if err != nil {
		t.Fatal("gopls is missing: run `make bin/gopls`")
	}
	return path
}

// gopls is the table's entry for Go with the program of goplsPath.
func gopls(t testing.TB) Language {
	t.Helper()
	language := golang()
	language.Command = []string{goplsPath(t)}
	return language
}

// write lays out a txtar archive below dir.
func write(t testing.TB, dir, archive string) {
	t.Helper()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// environment is ours without what would change how Go sees a module.
func environment(more ...string) []string {
	var env []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "GOFLAGS=") && !strings.HasPrefix(entry, "GOWORK=") {
			env = append(env, entry)
		}
	}
	return append(env, more...)
}

// open opens a project on dir and closes it when the test ends.
func open(t testing.TB, dir string, languages ...Language) *Project {
	t.Helper()
	return openWith(t, Options{Root: dir, Languages: languages, Env: environment()})
}

func openWith(t testing.TB, options Options) *Project {
	t.Helper()
	if options.ReadyBudget == 0 {
		options.ReadyBudget = time.Minute // the tests share the machine
	}
	p, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := p.Close(ctx); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return p
}

func view(t testing.TB, p *Project) *View {
	t.Helper()
	v, err := p.View(t.Context())
	if err != nil {
		t.Fatalf("view: %v", err)
	}
	return v
}

// project is a Project on a fresh directory with the files of the archive, served by gopls.
func project(t testing.TB, archive string) (*Project, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, archive)
	return open(t, dir, gopls(t)), dir
}

// one is the only symbol that the query finds.
func one(t testing.TB, v *View, query string) Symbol {
	t.Helper()
	found, err := v.Symbols(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("Symbols(%q) = %+v, want one", query, found)
	}
	return found[0]
}

// brief writes locations as "shop.go:3:5", relative to dir.
func brief(dir string, list []Location) []string {
	out := make([]string, 0, len(list))
	for _, at := range list {
		out = append(out, briefly(dir, at))
	}
	return out
}
