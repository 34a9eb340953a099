package tools

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/gopackage"
	"tidepool/scout"
)

// goErrorEdges lists where a function is used, if an error more among its results is passed on by those who call it. The
// chain ends at functions that return an error already, that cannot return another one because somebody else says how they
// look, and at tests. ok is false for what is no function.
func (g *graph) goErrorEdges(ctx context.Context, n scout.Node, at gopackage.Place) (edges []scout.Edge, ok bool, err error) {
	facts, err := g.goFacts(ctx, n.Name)
	if err != nil {
		return nil, false, err
	}
	if fn := facts.at[at]; fn == nil || fn.Variable {
		return nil, false, nil
	}
	for _, used := range facts.uses[at] {
		role, last := scout.RoleCall, ""
		switch {
		case used.use.Kind == gopackage.Taken:
			role, last = scout.RoleMethodValue, "as a value, so its type must stay"
		case used.use.Closure:
			last = "in a closure"
		default:
			last = facts.fixed(used.by)
		}
		if role == scout.RoleCall && isTest(used.by.At.Path) {
			role = testRoleOf(used.by.Name)
		}
		kind := "function"
		if used.by.Variable {
			kind = "variable"
		}
		e := g.factEdge(n, used.use.At, used.by.At, used.by.Name, kind, role, elsewhere(used.by.Elsewhere, last))
		e.Last = last != ""
		edges = append(edges, e)
	}
	return edges, true, nil
}

// testRoleOf is the role of a call in a test file.
func testRoleOf(name string) scout.Role {
	if strings.HasPrefix(name, "Example") {
		return scout.RoleExample
	}
	return scout.RoleTest
}

// fixed says why a function's results cannot grow by an error; "" if they can.
func (f *goFacts) fixed(fn *gopackage.Function) string {
	switch {
	case fn.Variable:
		return "in the value of a variable"
	case fn.Fails:
		return "returns an error already"
	case isTest(fn.At.Path):
		return "in a test"
	case fn.Name == "main" || fn.Name == "init":
		return "nobody calls " + fn.Name
	}
	if f.prescribed(fn) {
		return "an interface says how it looks"
	}
	return ""
}

// prescribed reports whether a method is one that an interface asks of its type.
func (f *goFacts) prescribed(fn *gopackage.Function) bool {
	receiver := f.types[fn.Receiver]
	if receiver == nil {
		return false
	}
	_, name, _ := strings.Cut(fn.Name, ".")
	asks := func(t gopackage.Type) bool {
		return t.Interface && hasMethod(t.Methods, name) && gopackage.Satisfies(receiver.Methods, t.Methods)
	}
	for _, t := range f.types {
		if asks(*t) {
			return true
		}
	}
	return slices.ContainsFunc(f.interfaces, asks)
}

func hasMethod(methods []gopackage.Method, name string) bool {
	for _, m := range methods {
		if m.Name == name || strings.HasSuffix(m.Name, "."+name) {
			return true
		}
	}
	return false
}
