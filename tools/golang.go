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
		use: goUse, runs: goRuns, abstract: goAbstract, promoted: goPromoted,
		fields: goFields, constructors: goConstructors,
		naming: naming{qualifiers: pathQualifiers, beside: goBeside, pkg: goPackage},
		reading: reading{
			declared: goDeclared, elsewhere: goElsewhere,
			source: func(q *inquiry, path string) (source, error) { return q.files.Open(path) },
			test:   func(path string) bool { return strings.HasSuffix(path, "_test.go") },
			writer: goWriter, needs: goNeeds, leftOut: goLeftOut,
		},
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
	made := use{
		kind: string(u.Kind), called: u.Called(), taken: u.Kind == gosyntax.Value,
		enclosing: u.Enclosing, passed: u.Passed, test: f.Test(),
	}
	if u.Whole != (gosyntax.Position{}) {
		made.whole = at(f, u.Whole)
	}
	return made, nil
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

// goRuns asks which method a call names: gopls' references to a method include those to the methods of interfaces that
// its type implements, which may run it, and to the methods of other types that implement them, which do not.
func goRuns(ctx context.Context, q *inquiry, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error) {
	definitions, err := q.view.Definition(ctx, at)
	if err != nil || len(definitions) == 0 {
		return "", false, err
	}
	if spotOf(definitions[0]) == spotOf(method.Location) {
		return "", true, nil
	}
	contract = goAbstract(ctx, q, definitions[0])
	if contract == "" || goAbstract(ctx, q, method.Location) != "" {
		return "", false, nil
	}
	return goBeside(method, definitions[0], contract) + "." + method.Name, true, nil
}

// goDeclared lists what a file declares, types within functions included, of which gopls does not tell.
func goDeclared(_ context.Context, q *inquiry, path string) ([]lsp.Symbol, error) {
	f, err := q.files.Open(path)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	for _, d := range f.Declarations() {
		dot := max(strings.LastIndexByte(d.Name, '.'), 0)
		s := lsp.Symbol{Name: strings.TrimPrefix(d.Name[dot:], "."), Receiver: d.Name[:dot], Kind: goKindOf(d.Sort), Language: "go", Location: at(f, d.At)}
		if t, ok := f.Type(d.At); ok && t.Form == gosyntax.Struct {
			s.Kind = lsp.KindStruct
		} else if ok && t.Form == gosyntax.Interface {
			s.Kind = lsp.KindInterface
		}
		all = append(all, s)
	}
	return all, nil
}

func goKindOf(sort gosyntax.Sort) lsp.Kind {
	switch sort {
	case gosyntax.SortInterfaceMethod:
		return lsp.KindMethod
	case gosyntax.SortFunction, gosyntax.SortMethod, gosyntax.SortType, gosyntax.SortField, gosyntax.SortConstant, gosyntax.SortVariable:
		return lsp.Kind(sort)
	}
	return lsp.KindOther
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
