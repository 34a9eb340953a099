package golang

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/golang/typing"
	"tidepool/tools/internal/query"
)

// Language returns what one query knows of Go. revisionOf vouches for files as lsp.View.Revision does; nil: each is looked at whenever
// it is opened. collector knows which tests run which functions, and measures those that are asked about; nil: that is
// estimated from the types.
func (m *Memory) Language(revisionOf func(path string) (revision int64, ok bool), collector *coverage.Collector) graph.Language {
	w := &walk{Files: m.Files.Read(), memory: m, id: m.walks.Add(1), coverage: collector}
	w.typing.Files, w.typing.LeftOut, w.typing.Memory, w.typing.Revision = w.Files, w.isLeftOut, &m.text, revisionOf
	if revisionOf != nil {
		w.Files.ReuseRevisions(revisionOf)
	}
	known := graph.Language{
		Language: w.language(),
		Edges: func(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return edgesFrom(ctx, explorer{g, w}, n, l)
		},
		Used: func(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return explorer{g, w}.used(ctx, n, l)
		},
		Check: func(ctx context.Context, g *graph.Graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
			return check(ctx, explorer{g, w}, c, roots)
		},
		Written: func(_ context.Context, g *graph.Graph, c scout.Change, n scout.Node) string {
			return written(explorer{g, w}, c, n)
		},
		Outer: w.outerAt, Unlisted: w.unlisted, Without: []scout.Role{scout.RoleImport}, Traits: scout.TraitNames(),
	}
	if collector != nil {
		known.Prepare = w.measure
	}
	return known
}

func (w *walk) language() query.Language {
	return query.Language{
		Use: w.useAt, Runs: w.runs, Alone: w.alone, Ahead: w.ahead, Together: together, Abstract: w.abstract, Unrelated: w.unrelated, Related: w.related, Promoted: w.promotedMethod,
		Fields: w.fields, Constructors: w.constructors,
		Naming: query.Naming{Qualifiers: query.PathQualifiers, Beside: w.beside, Pkg: func(_ *query.Query, l lsp.Location) string { return w.typing.Package(l.Path) }},
		Reading: query.Reading{
			Declared: w.declared, DeclaredAs: w.declaredAs, Written: w.written, Elsewhere: w.declaredElsewhere,
			Source: func(_ *query.Query, path string) (query.Source, error) { return w.Files.Open(path) },
			Test:   func(path string) bool { return strings.HasSuffix(path, "_test.go") },
			Writer: w.writer, Needs: w.needs, LeftOut: w.isLeftOut,
		},
		Explaining: query.Explaining{Package: w.packageFiles, Signature: signature, TestRecord: w.testRecord},
	}
}

func (w *walk) useAt(_ context.Context, q *query.Query, l lsp.Location) (query.Use, error) {
	u, in, ok, err := w.typing.Use(l)
	if err != nil || !ok {
		return query.Use{}, err
	}
	made := query.Use{
		Kind: string(u.Kind), Called: u.Called(), Taken: u.Kind == syntax.Value,
		Enclosing: u.Enclosing, Passed: u.Passed, Test: in.Test(),
	}
	if u.Whole != (syntax.Position{}) {
		made.Whole = lsp.At(l.Path, u.Whole.Line, u.Whole.Column)
	}
	return made, nil
}

func (w *walk) abstract(_ context.Context, q *query.Query, l lsp.Location) string {
	f, err := w.Files.Open(l.Path)
	if err != nil {
		return ""
	}
	name, _ := f.InterfaceOf(place(l))
	return name
}

// declaredElsewhere tells embedded fields: gopls lists them under the name of their type, which is declared elsewhere.
func (w *walk) declaredElsewhere(ctx context.Context, q *query.Query, s lsp.Symbol) bool {
	if s.Receiver == "" {
		return false
	}
	u, err := w.useAt(ctx, q, s.Location)
	return err == nil && u.Kind != "declaration"
}

// together is how many definitions gopls is asked for at a time. What they share, the packages that it type-checks for them and what
// those import, it makes once for all that wait for it, and anew for the next.
const together = 64

// alone reports that no interface without a name asks for a method. Of those with one gopls tells.
func (w *walk) alone(ctx context.Context, q *query.Query, method lsp.Symbol) (bool, error) {
	unnamed, err := w.unnamedInterfaces(ctx, q, method.Name)
	return len(unnamed) == 0, err
}

// unrelated reports that no interface can ask for a method.
func (w *walk) unrelated(method lsp.Symbol) bool {
	return !w.typing.MayAskFor(method.Location.Path, method.Name)
}

// runs asks which method a call names: gopls' references to a method include those to the methods of interfaces that
// its type implements, which may run it, and to the methods of other types that implement them, which do not.
func (w *walk) runs(ctx context.Context, q *query.Query, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error) {
	definition, ok, err := w.definition(ctx, q, method.Name, at)
	if err != nil || !ok {
		return "", false, err
	}
	if definition == w.declaredAt(method.Location) {
		return "", true, nil
	}
	if definition == typing.ErrorMethod() {
		return "error." + method.Name, w.abstract(ctx, q, method.Location) == "", nil
	}
	declared := lsp.At(definition.Path, definition.Line, definition.Column)
	contract = w.abstract(ctx, q, declared)
	if contract == "" || w.abstract(ctx, q, method.Location) != "" {
		return "", false, nil
	}
	return w.beside(method, declared, contract) + "." + method.Name, true, nil
}

// definition returns where the method is declared that a place names, as [walk.declaredAt] does: as the text tells, or else gopls. That is
// kept while the tree does not change: gopls type-checks the package for it, and often anew.
func (w *walk) definition(ctx context.Context, q *query.Query, method string, at lsp.Location) (definition query.Spot, ok bool, err error) {
	if spot, ok := w.typing.Definition(q.View.TreeRevision(), at); ok {
		return spot, true, nil
	}
	if spot, ok := w.typed(at, method); ok {
		w.typing.KeepDefinition(q.View.TreeRevision(), at, spot)
		return spot, true, nil
	}
	definitions, err := q.View.Definition(ctx, at)
	if err != nil || len(definitions) == 0 {
		return query.Spot{}, false, err
	}
	definition = w.declaredAt(definitions[0])
	w.typing.KeepDefinition(q.View.TreeRevision(), at, definition)
	return definition, true, nil
}

// typed returns the method that a place names, if the text leaves no doubt.
func (w *walk) typed(at lsp.Location, method string) (query.Spot, bool) {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.typing.Method(at, method)
}

// declared lists what a file declares, types within functions included, of which gopls does not tell.
func (w *walk) declared(_ context.Context, q *query.Query, path string) ([]lsp.Symbol, error) {
	f, err := w.Files.Open(path)
	if err != nil {
		return nil, err
	}
	return symbolsOf(f, f.Declarations()), nil
}

// declaredAs lists what a file declares under a name.
func (w *walk) declaredAs(_ context.Context, _ *query.Query, path, name string) ([]lsp.Symbol, error) {
	f, err := w.Files.Open(path)
	if err != nil {
		return nil, err
	}
	return symbolsOf(f, f.DeclarationsNamed(name)), nil
}

// symbolsOf returns declarations of a file as the servers would.
func symbolsOf(f *syntax.File, declared []syntax.Decl) []lsp.Symbol {
	all := make([]lsp.Symbol, 0, len(declared))
	for _, d := range declared {
		dot := max(strings.LastIndexByte(d.Name, '.'), 0)
		s := lsp.Symbol{Name: strings.TrimPrefix(d.Name[dot:], "."), Receiver: d.Name[:dot], Kind: kindOf(d.Sort), Language: "go", Location: at(f, d.At)}
		switch d.Form {
		case syntax.Struct:
			s.Kind = lsp.KindStruct
		case syntax.Interface:
			s.Kind = lsp.KindInterface
		}
		all = append(all, s)
	}
	return all
}

func kindOf(sort syntax.Sort) lsp.Kind {
	switch sort {
	case syntax.SortInterfaceMethod:
		return lsp.KindMethod
	case syntax.SortFunction, syntax.SortMethod, syntax.SortType, syntax.SortField, syntax.SortConstant, syntax.SortVariable:
		return lsp.Kind(sort)
	}
	return lsp.KindOther
}

// beside qualifies the name of a type declared at a place as the symbol's package would write it.
func (w *walk) beside(symbol lsp.Symbol, at lsp.Location, name string) string {
	pkg := w.typing.Package(at.Path)
	if pkg == "" || name == syntax.Unnamed || isBuiltin(at) || filepath.Dir(at.Path) == filepath.Dir(symbol.Location.Path) {
		return name
	}
	return pkg + "." + name
}

// isBuiltin reports whether a place is in the file by which gopls shows what Go itself declares, such as error.
func isBuiltin(at lsp.Location) bool {
	return strings.HasSuffix(filepath.ToSlash(at.Path), "/builtin/builtin.go")
}

// place converts a server's position for the parser.
func place(at lsp.Location) syntax.Position {
	return syntax.Position{Line: at.Range.Start.Line, Column: at.Range.Start.Column}
}

// at converts a parser's position for the server.
func at(f *syntax.File, p syntax.Position) lsp.Location { return lsp.At(f.Path, p.Line, p.Column) }
