package golang

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/lang/golang/edit"
	"tidepool/tools/internal/query"
)

// proven lists what a change breaks where the references to what is changed tell that alone: no direct call of a
// function fits once it asks for another argument, and no mention of a name is right that is gone. n is provable. ok is
// false where only the compiler can say.
func (g explorer) proven(ctx context.Context, c scout.Change, n scout.Node) (broken []scout.Edge, ok bool, err error) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return nil, false, err
	}
	decl, _ := f.Declares(place(l))
	references, err := g.View.References(ctx, l, false) // all of them: the answer counts what it does not list
	if err != nil {
		return nil, false, fmt.Errorf("finding references of %s: %w", n.Name, err)
	}
	for _, r := range query.Distinct(references) {
		edge, ok := g.certain(n, decl, c, r)
		if !ok {
			return nil, false, nil
		}
		broken = append(broken, edge)
	}
	return broken, true, nil
}

// provable reports whether references may tell what a change of n breaks.
func (g explorer) provable(n scout.Node, c scout.Change) bool {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return false
	}
	decl, ok := f.Declares(place(l))
	return ok && provable(f, decl, c)
}

// provable reports whether references can tell what a change of a declaration breaks. Methods and fields are not: the
// same name may then mean another one, and what a method is asked for by an interface does not mention it.
func provable(f *syntax.File, decl syntax.Decl, c scout.Change) bool {
	if f.Local(decl.At) || types.Universe.Lookup(decl.Name) != nil || decl.Name == "main" || decl.Name == "init" {
		return false
	}
	switch c.Kind {
	case scout.AddParameter:
		return decl.Sort == syntax.SortFunction && !edit.Optional(c)
	case scout.Rename, scout.Delete, scout.Move:
		return decl.Sort == syntax.SortFunction || decl.Sort == syntax.SortConstant || decl.Sort == syntax.SortVariable
	}
	return false
}

// certain makes the edge of a reference that cannot compile any more; false if it may.
func (g explorer) certain(n scout.Node, decl syntax.Decl, c scout.Change, at lsp.Location) (scout.Edge, bool) {
	f, err := g.Files.Open(at.Path)
	if err != nil || !g.Within(at.Path) {
		return scout.Edge{}, false
	}
	use, ok := f.Use(place(at))
	if !ok || c.Kind == scout.AddParameter && !use.Called() {
		return scout.Edge{}, false
	}
	reason := "mentions " + decl.Name + ", which is gone"
	if c.Kind == scout.Move {
		reason = "mentions " + decl.Name + ", which is in another package"
	}
	if c.Kind == scout.AddParameter {
		reason = "not enough arguments in call to " + decl.Name
	}
	outer, _ := f.Outer(place(at))
	edge := g.edge(n, f, place(at), roleOf(use, decl.Sort, outer, false), reason)
	edge.Certain = true
	return edge, true
}

// lost names the methods of interfaces that methods among roots implement and do not after a change, if no error in broken says so: what
// asks for an interface while the program runs, as fmt does for Stringer, compiles without it. What gopls does not tell in time is a doubt.
func (g explorer) lost(ctx context.Context, c scout.Change, roots []scout.Node, broken []scout.Edge) (names []string, err error) {
	changed := make(map[query.Spot]bool)
	for _, n := range roots {
		changed[query.SpotOf(g.Located(n))] = true
	}
	for _, n := range roots {
		method := lsp.Symbol{Name: query.BaseOf(n.Name), Kind: lsp.KindMethod, Language: "go", Location: g.Located(n)}
		loses, err := g.loses(ctx, c.Kind, n, method)
		var implemented []lsp.Location
		if loses && err == nil {
			implemented, err = g.View.Implementations(ctx, method.Location)
		}
		if err != nil && !g.Late("interfaces that "+n.Name+" implements", err) {
			return nil, fmt.Errorf("finding what %s implements: %w", n.Name, err)
		}
		for _, at := range implemented {
			of := g.abstract(ctx, &g.Query, at)
			told := slices.ContainsFunc(broken, func(e scout.Edge) bool { return saysUnimplemented(e.Reason, of) })
			if of != "" && !told && !changed[query.SpotOf(at)] && (g.Within(at.Path) || g.usable(ctx, &g.Query, at)) {
				names = append(names, g.beside(method, at, of)+"."+method.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// loses reports whether a type surely has no method of that name and type after a change of one. Where the method is gone, what the type
// embeds may have another one, which it hid.
func (g explorer) loses(ctx context.Context, kind scout.ChangeKind, n scout.Node, method lsp.Symbol) (bool, error) {
	if s, ok := g.subjectOf(n); !ok || s.Kind != edit.Method || g.unrelated(method) {
		return false, nil
	}
	switch kind {
	case scout.AddParameter, scout.RemoveParameter, scout.MakeVariadic, scout.RemoveResult, scout.ReturnError:
		return true, nil
	case scout.Rename, scout.Delete:
		embeds, err := g.ownerEmbeds(ctx, method.Location)
		return !embeds, err
	}
	return false, nil
}

// ownerEmbeds reports whether the type of a method may embed others.
func (g explorer) ownerEmbeds(ctx context.Context, method lsp.Location) (bool, error) {
	f, err := g.Files.Open(method.Path)
	if err != nil {
		return false, err
	}
	name, ok := f.Owner(place(method))
	if !ok {
		return true, nil
	}
	owner, ok, err := g.typeTarget(ctx, &g.Query, typeDecl{file: f}, name)
	if err != nil || !ok {
		return true, err
	}
	owner, _, err = g.follow(ctx, &g.Query, owner)
	return slices.ContainsFunc(owner.decl.Members, func(m syntax.Member) bool { return m.Embedded }), err
}

// saysUnimplemented reports whether a message of the compiler says that a type does not implement an interface.
func saysUnimplemented(message, name string) bool {
	_, of, ok := strings.Cut(message, " does not implement ")
	of, _, _ = strings.Cut(of, " ")
	return ok && of[strings.LastIndexByte(of, '.')+1:] == name
}
