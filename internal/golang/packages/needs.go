package packages

import (
	"go/ast"

	"tidepool/internal/golang/fact"
)

// needs returns the types that the innermost case of a type switch, or assertion, around a node asks for.
func (c *collector) needs(node ast.Node, stack []ast.Node) []fact.Place {
	child := node
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncLit:
			return nil // what runs it is not known
		case *ast.CaseClause:
			if _, ok := stack[max(i-2, 0)].(*ast.TypeSwitchStmt); ok && len(n.Body) > 0 && child.Pos() >= n.Body[0].Pos() {
				return c.named(n.List...)
			}
		case *ast.IfStmt:
			if asserted := assertion(n); asserted != nil && child == n.Body {
				return c.named(asserted)
			}
		}
		child = stack[i]
	}
	return nil
}

// assertion is T in if x, ok := y.(T); ok; nil for any other if.
func assertion(n *ast.IfStmt) ast.Expr {
	assign, ok := n.Init.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return nil
	}
	assert, isAssert := assign.Rhs[0].(*ast.TypeAssertExpr)
	holds, isName := assign.Lhs[1].(*ast.Ident)
	cond, isCond := n.Cond.(*ast.Ident)
	if !isAssert || !isName || !isCond || holds.Name != cond.Name {
		return nil
	}
	return assert.Type
}

// named returns the types of the tree that expressions name; none if there are others, of which any code may make values.
func (c *collector) named(list ...ast.Expr) []fact.Place {
	var all []fact.Place
	for _, e := range list {
		named := namedOf(c.info.TypeOf(e))
		if named == nil {
			return nil
		}
		at := c.work.place(named.Obj())
		if at == (fact.Place{}) {
			return nil
		}
		all = append(all, at)
	}
	return all
}
