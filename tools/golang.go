package tools

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
)

func goLanguage() language {
	return language{
		use: goUse, abstract: goAbstract, pkg: goPackage, elsewhere: goElsewhere, promoted: goPromoted, beside: goBeside,
		fields: goFields, constructors: goConstructors, edges: goEdges,
		source: func(q *inquiry, path string) (source, error) { return q.files.Open(path) },
		test:   func(path string) bool { return strings.HasSuffix(path, "_test.go") },
	}
}

func goUse(_ context.Context, q *inquiry, l lsp.Location) (use, error) {
	f, err := q.files.Open(l.Path)
	if err != nil {
		return use{}, err
	}
	u, ok := f.Use(place(l))
	if !ok {
		return use{}, nil
	}
	return use{
		kind: string(u.Kind), called: u.Called(), taken: u.Kind == gosyntax.Value,
		enclosing: u.Enclosing, passed: u.Passed, test: f.Test(),
	}, nil
}

func goAbstract(_ context.Context, q *inquiry, l lsp.Location) string {
	f, err := q.files.Open(l.Path)
	if err != nil {
		return ""
	}
	name, _ := f.InterfaceOf(place(l))
	return name
}

func goPackage(q *inquiry, l lsp.Location) string {
	f, err := q.files.Open(l.Path)
	if err != nil {
		return ""
	}
	return f.Package
}

// goElsewhere tells embedded fields: gopls lists them under the name of their type, which is declared elsewhere.
func goElsewhere(ctx context.Context, q *inquiry, s lsp.Symbol) bool {
	if s.Receiver == "" {
		return false
	}
	u, err := goUse(ctx, q, s.Location)
	return err == nil && u.kind != "declaration"
}

// goBeside qualifies the name of a type declared at a place as the symbol's package would write it.
func goBeside(symbol lsp.Symbol, at lsp.Location, name string) string {
	if packageName(at.Path) == packageName(symbol.Location.Path) {
		return name
	}
	return packageName(at.Path) + "." + name
}

// packageName is the last element of the directory that a file stands in: good enough to tell two places apart.
func packageName(path string) string { return filepath.Base(filepath.Dir(path)) }

// place converts a server's position for the parser.
func place(at lsp.Location) gosyntax.Position {
	return gosyntax.Position{Line: at.Range.Start.Line, Column: at.Range.Start.Column}
}

// at converts a parser's position for the server.
func at(f *gosyntax.File, p gosyntax.Position) lsp.Location { return lsp.At(f.Path, p.Line, p.Column) }
