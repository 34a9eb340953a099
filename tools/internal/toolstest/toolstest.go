// Package toolstest makes and serves the small projects of the tools' tests.
package toolstest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// Serve serves the files of an archive, in a directory and in the language with an ID, until the test ends. Without a command
// it is the language's own server.
func Serve(t testing.TB, dir, id, archive string, command ...string) Tree {
	t.Helper()
	lsptest.Write(t, dir, archive)
	var table []lsp.Language
	for _, l := range lsp.Languages() {
		if l.ID != id {
			continue
		}
		if len(command) > 0 {
			l.Command = command
		} else {
			l.Command[0] = lsptest.Program(t, l.Command[0])
		}
		table = append(table, l)
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: table, ReadyBudget: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Close(t, project) })
	return Tree{Project: project, Root: dir}
}

// ServeFile serves the files of tools/testdata/name.txtar in one language by its own server.
func ServeFile(t testing.TB, id, name string) Tree {
	t.Helper()
	archive, err := os.ReadFile(Testdata(name + ".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return Serve(t, filepath.Join(t.TempDir(), "zoo ü"), id, string(archive))
}

// Close ends a project within ten seconds.
func Close(t testing.TB, p *lsp.Project) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}

// Mark returns a text as a file with a name, without the § in it, and the token that stands behind that.
func Mark(t testing.TB, name, text string) (*lexer.File, lexer.Token) {
	t.Helper()
	before, after, ok := strings.Cut(text, "§")
	if !ok {
		t.Fatalf("no mark in %q", text)
	}
	f := lexer.Parse(name, []byte(before+after))
	line, column := f.Position(len(before))
	return f, f.At(line, column)
}

// OnDisk writes a file into a directory of its own, and returns that and where a name that stands once with what is before it
// is in the file.
func OnDisk(t testing.TB, name, text string) (dir string, symbol func(before, name string) lsp.Symbol) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, func(before, name string) lsp.Symbol {
		at := strings.Index(text, before+name)
		if at < 0 {
			t.Fatalf("no %q", before+name)
		}
		line, column := lexer.Parse(path, []byte(text)).Position(at + len(before))
		return lsp.Symbol{Name: name, Location: lsp.At(path, line, column)}
	}
}
