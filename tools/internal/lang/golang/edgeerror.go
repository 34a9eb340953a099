package golang

import (
	"tidepool/internal/golang/packages"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// errorEdges lists where a function is used, for an error more among its results that its callers pass on, or for one
// more of those that it returns already. ok is false for what is no function.
func (g explorer) errorEdges(n scout.Node, index *packages.Index, at packages.Place) (edges []scout.Edge, ok bool) {
	fn := index.Function(at)
	if fn == nil || fn.Variable {
		return nil, false
	}
	for _, used := range index.Uses(at) {
		role := scout.RoleCall
		switch {
		case used.Kind == packages.Taken:
			role = scout.RoleMethodValue
		case used.By.Test:
			role = testRoleOf(used.By.Name)
		}
		end := endsAt(index, used)
		if fn.Fails {
			end = swallows(used)
		}
		e := g.functionEdge(n, used.At, used.By, role, end)
		e.Last = end != ""
		edges = append(edges, graph.Having(e, errorUse(used.ErrorUse)...))
	}
	return edges, true
}

// swallows returns why an error of a function that returns one already does not reach the callers of the function around a
// use; "" if it does.
func swallows(used packages.UseIn) string {
	by := used.By
	switch {
	case used.Kind == packages.Taken:
		return "taken as a value: who calls that is not known"
	case used.Closure:
		return "in a function without a name"
	case by.Variable:
		return "in the value of a variable"
	case by.Test:
		return "in a test"
	case used.ErrorUse == packages.Handled:
		return by.Name + " handles the error"
	case used.ErrorUse == packages.Dropped:
		return by.Name + " drops the error"
	}
	return ""
}

// endsAt returns why the function around a use does not return the error itself; "" if it does: it returns one already, or
// somebody else says what it returns.
func endsAt(index *packages.Index, used packages.UseIn) string {
	by := used.By
	switch {
	case used.Kind == packages.Taken:
		return "taken as a value, whose type somebody else gives"
	case used.Closure:
		return "in a function without a name"
	case by.Variable:
		return "in the value of a variable"
	case by.Test:
		return "in a test"
	case by.Fails:
		return by.Name + " returns an error already"
	case by.Receiver == packages.Place{} && (by.Name == "main" || by.Name == "init"):
		return "nobody calls " + by.Name
	case index.Prescribed(by):
		return "an interface says what " + by.Name + " returns"
	}
	return ""
}
