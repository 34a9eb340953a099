package golang

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/golang/edit"
	"tidepool/tools/internal/query"
)

// broken makes edges of the errors after a change of roots, and of the declarations that have to follow it.
func (g explorer) broken(ctx context.Context, c scout.Change, roots []scout.Node, problems []lsp.Problem) ([]scout.Edge, error) {
	var broken []scout.Edge
	b := &breaking{graph: g, change: c, roots: roots, lacks: make(map[string]bool), lackIn: make(map[lackingIn]bool)}
	if len(problems) > 0 {
		if err := b.learn(ctx, problems); err != nil && !g.Late("what types tell of the places that break", err) {
			return nil, err
		}
	}
	seen := make(map[string]bool)
	for _, p := range problems {
		edge, ok := b.edge(p)
		if at := edge.To.Location(); ok && !seen[at] {
			seen[at] = true
			broken = append(broken, edge)
		}
	}
	for _, n := range roots {
		broken = g.inText(n, broken)
	}
	followers, err := b.implementations(ctx)
	if g.Late("implementations that have to follow", err) {
		err = nil
	}
	return append(broken, followers...), err
}

// A breaking reads what the compiler refuses after a change.
type breaking struct {
	graph  explorer
	change scout.Change
	roots  []scout.Node       // what was changed
	lacks  map[string]bool    // names of types that no longer implement an interface
	lackIn map[lackingIn]bool // those of which other systems may have a declaration of their own
	typed  []typed            // what types tell of the uses of each root
}

// learn learns what types tell of the places of problems.
func (b *breaking) learn(ctx context.Context, problems []lsp.Problem) error {
	places := make([]fact.Place, len(problems))
	for i, p := range problems {
		places[i] = fact.Place{Path: p.Path, Line: p.At.Line, Column: p.At.Column}
	}
	b.typed = make([]typed, len(b.roots))
	for i, n := range b.roots {
		l := b.graph.Located(n)
		f, err := b.graph.Files.Open(l.Path)
		if err != nil {
			continue // it is not asked about again
		}
		if decl, ok := f.Declares(place(l)); ok {
			if b.typed[i], err = b.graph.types(ctx, n, decl, places); err != nil {
				return err
			}
		}
	}
	return nil
}

// edge makes an edge of an error; false if its place cannot be read, or if it tells of the edit and not of what it broke.
func (b *breaking) edge(p lsp.Problem) (scout.Edge, bool) {
	if strings.Contains(p.Message, "imported and not used") {
		return scout.Edge{}, false
	}
	f, err := b.graph.Files.Open(p.Path)
	if err != nil {
		return scout.Edge{}, false
	}
	spot := syntax.Position{Line: p.At.Line, Column: p.At.Column}
	b.note(p)
	n := b.rootOf(f, spot)
	if outer, _ := f.Outer(spot); b.change.Kind == scout.Move && strings.HasPrefix(outer.Name, query.BaseOf(n.Name)+".") {
		return scout.Edge{}, false // a method moves with its type
	}
	edge := b.graph.edge(n, f, spot, b.role(n, f, spot, p.Message), plainMessage(p.Message))
	edge.Certain, edge.Fix = true, b.fix(n, edge.Role, p.Message)
	if edge.Role == scout.RoleLiteral {
		edge = graph.Having(edge, elements(f.Within(spot))...)
	}
	if i := slices.Index(b.roots, n); i >= 0 {
		edge = graph.Having(edge, b.typed[i].of(fact.Place{Path: p.Path, Line: spot.Line, Column: spot.Column})...)
	}
	return edge, true
}

// rootOf returns the root whose name stands at a place; the first if none does.
func (b *breaking) rootOf(f *syntax.File, at syntax.Position) scout.Node {
	for _, n := range b.roots {
		if strings.Contains(f.Line(at.Line), query.BaseOf(n.Name)) {
			return n
		}
	}
	return b.roots[0]
}

// role returns what the code at a place does with the changed declaration, by the error there and else by the syntax.
func (b *breaking) role(n scout.Node, f *syntax.File, at syntax.Position, message string) scout.Role {
	outer, _ := f.Outer(at)
	s, _ := b.graph.subjectOf(n)
	if role, ok := errorRole(s, outer, message); ok {
		return role
	}
	use, used := f.Use(at)
	switch {
	case !used:
		return scout.RoleReference
	case use.Kind == syntax.Declaration:
		return scout.RoleDefinition
	case s.Kind == edit.Field:
		return scout.RoleFieldUse
	case s.Kind == edit.Embedded && missesPromoted(message, s.Name):
		return scout.RolePromotion
	case use.Called():
		return scout.RoleCall
	case s.Kind == edit.Embedded, strings.Contains(message, "has no field or method"):
		return scout.RoleFieldUse
	case s.IsFunction():
		return scout.RoleMethodValue
	case s.IsType():
		return typeRole(use, outer)
	}
	return scout.RoleReference
}

// errorRole returns the role of a place that an error tells; false if it tells none.
func errorRole(s edit.Subject, outer syntax.Decl, message string) (scout.Role, bool) {
	unfit := strings.HasPrefix(message, "cannot use ") && !strings.Contains(message, "without instantiation")
	switch {
	case strings.Contains(message, "impossible type switch case"):
		return scout.RoleTypeSwitch, true
	case strings.Contains(message, "impossible type assertion"):
		return scout.RoleAssertion, true
	case strings.Contains(message, "does not implement"), strings.Contains(message, "does not satisfy"):
		if outer.Name == "_" {
			return scout.RoleAssertion, true
		}
		return scout.RoleConversion, true
	case unfit && s.IsFunction() && argumentOf(message) == s.Name:
		return scout.RoleCall, true
	case unfit && s.IsFunction():
		return scout.RoleMethodValue, true
	case strings.Contains(message, "in struct literal"):
		return scout.RoleLiteral, true
	case strings.Contains(message, "in call to"), strings.Contains(message, "assignment mismatch"), strings.Contains(message, "(no value) used as value"):
		return scout.RoleCall, true
	case unfit && s.IsType():
		return scout.RoleConversion, true
	}
	return "", false
}

// argumentOf returns the name of the function that an error says to be called with an argument of another type; "" if it says none.
func argumentOf(message string) string {
	_, callee, _ := strings.Cut(message, " value in argument to ")
	callee, _, _ = strings.Cut(callee, "[") // type arguments
	return query.BaseOf(callee)
}

var (
	missing = regexp.MustCompile(`has no field or method (\w+)`)
	newType = regexp.MustCompile(`struct ?\{ ?unfit struct ?\{ ?\} ?\}`)
	lacking = regexp.MustCompile(`([\w.*/]+(?:\[[^:()]*\])?) does not (?:implement|satisfy) .+? \((?:missing|wrong type for) method`)
)

// plainMessage returns the compiler's message with words for the type that stands for any new one.
func plainMessage(message string) string { return newType.ReplaceAllString(message, "NEW") }

// missesPromoted reports whether an error misses something that an embedded field had promoted, rather than the field.
func missesPromoted(message, field string) bool {
	found := missing.FindStringSubmatch(message)
	return found != nil && found[1] != field
}

// note remembers which type an error says to lack a method.
func (b *breaking) note(p lsp.Problem) {
	found := lacking.FindStringSubmatch(p.Message)
	if found == nil {
		return
	}
	name, _, _ := strings.Cut(strings.TrimLeft(found[1], "*"), "[")
	b.lacks[query.BaseOf(name)] = true
	if name == query.BaseOf(name) && shared(p.Path) {
		b.lackIn[lackingIn{filepath.Dir(p.Path), name}] = true
	}
}

// fix returns what to do at a place where the rule for its role would not say it.
func (b *breaking) fix(n scout.Node, role scout.Role, message string) string {
	found := lacking.FindStringSubmatch(message)
	if found == nil || role != scout.RoleConversion && role != scout.RoleAssertion && role != scout.RoleTypeSwitch {
		return ""
	}
	s, _ := b.graph.subjectOf(n)
	switch {
	case b.change.Kind == scout.AddMethod:
		return "compiles again once " + found[1] + " has the method"
	case s.Kind == edit.InterfaceMethod:
		return "compiles again once " + found[1] + " follows"
	case s.Kind == edit.Embedded:
		return "give " + found[1] + " what it no longer has, or stop using it as the interface"
	}
	return "change the interface too, or stop using " + found[1] + " as one"
}

// implementations lists the declarations that have to follow a changed interface: the methods that implement a method of
// it, or the types that lack one, as far as an error names their types.
func (b *breaking) implementations(ctx context.Context) ([]scout.Edge, error) {
	var edges []scout.Edge
	for _, n := range b.roots {
		s, ok := b.graph.subjectOf(n)
		if !ok || len(b.lacks) == 0 || s.Kind != edit.Interface && s.Kind != edit.InterfaceMethod {
			continue
		}
		contract := n.Name
		if s.Kind == edit.InterfaceMethod {
			contract = strings.TrimSuffix(contract, "."+s.Name)
		}
		places, err := b.graph.implementations(ctx, n, b.graph.Located(n))
		if err != nil {
			return edges, err
		}
		found := b.graph.followers(n, places, scout.RoleImplementation, scout.RoleMock)
		for _, e := range append(found, b.graph.leftOutFollowers(n, s, b.lackIn)...) {
			if e.To.Path == n.Path && e.To.Line == n.Line {
				continue
			}
			if typ, _, _ := strings.Cut(e.To.Name, "."); b.lacks[typ] {
				e.Certain, e.Reason = true, typ+" no longer implements "+contract
				edges = append(edges, e)
			}
		}
	}
	return edges, nil
}
