package golang

import (
	"context"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// errorEdges lists where a function is used, for an error more among its results that its callers pass on, or for one
// more of those that it returns already. ok is false for what is no function.
func (g explorer) errorEdges(ctx context.Context, n scout.Node, tree analysis.Tree, at fact.Place) (edges []scout.Edge, ok bool, err error) {
	all, known, err := askTypes(ctx, g, "who passes its error on", func(ctx context.Context, c *analysis.Client) (analysis.Uses, error) { return c.Uses(ctx, tree, at) })
	if !known || all.Function == nil || all.Function.Variable {
		return nil, !known, err
	}
	for _, used := range all.Uses {
		role, by := scout.RoleCall, &all.By[used.By]
		switch {
		case used.Kind == fact.Taken:
			role = scout.RoleMethodValue
		case by.Test:
			role = testRoleOf(by.Name)
		}
		end := endsAt(used.Use, by)
		if all.Function.Fails {
			end = swallows(used.Use, &by.Function)
		}
		e := g.functionEdge(n, used.At, &by.Function, role, end)
		e.Last = end != ""
		edges = append(edges, graph.Having(e, errorUse(used.ErrorUse)...))
	}
	return edges, true, nil
}

// swallows returns why an error of a function that returns one already does not reach the callers of the function around a
// use; "" if it does.
func swallows(used fact.Use, by *fact.Function) string {
	switch {
	case used.Kind == fact.Taken:
		return "taken as a value: who calls that is not known"
	case used.Closure:
		return "in a function without a name"
	case by.Variable:
		return "in the value of a variable"
	case by.Test:
		return "in a test"
	case used.ErrorUse == fact.Handled:
		return by.Name + " handles the error"
	case used.ErrorUse == fact.Dropped:
		return by.Name + " drops the error"
	}
	return ""
}

// endsAt returns why the function around a use does not return the error itself; "" if it does: it returns one already, or
// somebody else says what it returns.
func endsAt(used fact.Use, by *analysis.Caller) string {
	switch {
	case used.Kind == fact.Taken:
		return "taken as a value, whose type somebody else gives"
	case used.Closure:
		return "in a function without a name"
	case by.Variable:
		return "in the value of a variable"
	case by.Test:
		return "in a test"
	case by.Fails:
		return by.Name + " returns an error already"
	case by.Receiver == fact.Place{} && (by.Name == "main" || by.Name == "init"):
		return "nobody calls " + by.Name
	case by.Prescribed:
		return "an interface says what " + by.Name + " returns"
	}
	return ""
}
