package golang

import (
	"cmp"
	"context"
	"fmt"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A typeDecl is a type's declaration and where it stands.
type typeDecl struct {
	file *syntax.File
	decl *syntax.TypeDecl
	args []string // of its type parameters, where it was reached through an instance
}

func (t typeDecl) at() lsp.Location { return at(t.file, t.decl.At) }

// typeAt returns the type declared at a place; false if it is predeclared or declared in a way of its own.
func (w *walk) typeAt(q *query.Query, l lsp.Location) (typeDecl, bool) {
	f, err := w.Files.Open(l.Path)
	if err != nil {
		return typeDecl{}, false
	}
	decl, ok := f.Type(place(l))
	return typeDecl{file: f, decl: decl}, ok
}

// unlisted finds the field that a struct has by embedding, under the name of its type.
func (w *walk) unlisted(q *query.Query, typ lsp.Symbol, name string) []query.Declaration {
	t, ok := w.typeAt(q, typ.Location)
	if !ok {
		return nil
	}
	var all []query.Declaration
	for _, m := range t.decl.Members {
		if m.Embedded && query.BaseOf(m.Name) == name {
			all = append(all, query.Declaration{Name: typ.Name + "." + name, Kind: string(lsp.KindField), At: at(t.file, cmp.Or(m.Target, m.At))})
		}
	}
	return all
}

// typeTarget returns the type that the name at a place in t's file means, as the text tells, or else gopls.
func (w *walk) typeTarget(ctx context.Context, q *query.Query, t typeDecl, p syntax.Position) (typeDecl, bool, error) {
	if p == (syntax.Position{}) {
		return typeDecl{}, false, nil
	}
	if spot, ok := w.typing.Type(t.file, p); ok {
		next, ok := w.typeAt(q, lsp.At(spot.Path, spot.Line, spot.Column))
		return next, ok, nil
	}
	found, err := q.View.Definition(ctx, at(t.file, p))
	if err != nil {
		return typeDecl{}, false, fmt.Errorf("following a type in %s: %w", t.file.Path, err)
	}
	if len(found) == 0 {
		return typeDecl{}, false, nil
	}
	next, ok := w.typeAt(q, found[0])
	return next, ok, nil
}

// follow goes from a type that is defined by another one's name, an alias or a pointer to the one that has a form of
// its own, and says how it went: "Alias = Server".
func (w *walk) follow(ctx context.Context, q *query.Query, t typeDecl) (typeDecl, []string, error) {
	steps := []string{}
	for range query.MaxFollowed {
		next, ok, err := w.typeTarget(ctx, q, t, t.decl.Target)
		if err != nil || !ok {
			return t, steps, err
		}
		next.args = instantiated(t.decl.TargetArgs, t)
		sign := " "
		if t.decl.Alias {
			sign = " = "
		}
		steps = append(steps, step(q, t, sign, next))
		t = next
	}
	return t, steps, nil
}

// step says how one type's declaration leads to another's.
func step(q *query.Query, from typeDecl, sign string, to typeDecl) string {
	return fmt.Sprintf("type %s%s%s, see %s:%d", from.decl.Name, sign, from.decl.Underlying, q.Relative(to.file.Path), to.decl.At.Line)
}

// instantiated writes types in the scope of t with t's arguments for its parameters.
func instantiated(texts []string, t typeDecl) []string {
	var all []string
	for _, text := range texts {
		all = append(all, syntax.Instantiate(text, t.decl.Params, t.args))
	}
	return all
}

// methodsOf returns what the package declares on the type, with bodies or, for an interface, without.
func (w *walk) methodsOf(q *query.Query, t typeDecl) []syntax.Function {
	var all []syntax.Function
	for _, f := range w.Files.Package(t.file.Path) {
		all = append(all, f.Methods(t.decl.Name)...)
	}
	return all
}
