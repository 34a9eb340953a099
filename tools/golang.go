package tools

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
)

func goLanguage() Language {
	return Language{
		Use: goUse, Runs: goRuns, Abstract: goAbstract, Promoted: goPromoted,
		Fields: goFields, Constructors: goConstructors,
		Naming: Naming{Qualifiers: PathQualifiers, Beside: goBeside, Pkg: goPackage},
		Reading: Reading{
			Declared: goDeclared, Elsewhere: goElsewhere,
			Source: func(q *Inquiry, path string) (Source, error) { return q.Files.Open(path) },
			Test:   func(path string) bool { return strings.HasSuffix(path, "_test.go") },
			Writer: goWriter, Needs: goNeeds, LeftOut: goLeftOut,
		},
	}
}

func goUse(_ context.Context, q *Inquiry, l lsp.Location) (Use, error) {
	f, err := q.Files.Open(l.Path)
	if err != nil {
		return Use{}, err
	}
	u, ok := f.Use(place(l))
	if !ok {
		return Use{}, nil
	}
	made := Use{
		Kind: string(u.Kind), Called: u.Called(), Taken: u.Kind == gosyntax.Value,
		Enclosing: u.Enclosing, Passed: u.Passed, Test: f.Test(),
	}
	if u.Whole != (gosyntax.Position{}) {
		made.Whole = at(f, u.Whole)
	}
	return made, nil
}

func goAbstract(_ context.Context, q *Inquiry, l lsp.Location) string {
	f, err := q.Files.Open(l.Path)
	if err != nil {
		return ""
	}
	name, _ := f.InterfaceOf(place(l))
	return name
}

func goPackage(q *Inquiry, l lsp.Location) string {
	f, err := q.Files.Open(l.Path)
	if err != nil {
		return ""
	}
	return f.Package
}

// goElsewhere tells embedded fields: gopls lists them under the name of their type, which is declared elsewhere.
func goElsewhere(ctx context.Context, q *Inquiry, s lsp.Symbol) bool {
	if s.Receiver == "" {
		return false
	}
	u, err := goUse(ctx, q, s.Location)
	return err == nil && u.Kind != "declaration"
}

// goRuns asks which method a call names: gopls' references to a method include those to the methods of interfaces that
// its type implements, which may run it, and to the methods of other types that implement them, which do not.
func goRuns(ctx context.Context, q *Inquiry, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error) {
	definitions, err := q.View.Definition(ctx, at)
	if err != nil || len(definitions) == 0 {
		return "", false, err
	}
	if SpotOf(definitions[0]) == SpotOf(method.Location) {
		return "", true, nil
	}
	contract = goAbstract(ctx, q, definitions[0])
	if contract == "" || goAbstract(ctx, q, method.Location) != "" {
		return "", false, nil
	}
	return goBeside(method, definitions[0], contract) + "." + method.Name, true, nil
}

// goDeclared lists what a file declares, types within functions included, of which gopls does not tell.
func goDeclared(_ context.Context, q *Inquiry, path string) ([]lsp.Symbol, error) {
	f, err := q.Files.Open(path)
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
