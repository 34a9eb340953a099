package gopackage

import (
	"go/ast"
	"go/token"
	"go/types"
)

// How likely a run of a function comes from one place of it to another. The numbers are estimates that order tests well
// enough: see TestReachAgainstCoverage in tools.
const (
	chanceBranch    = 0.5  // into the body of an if, or its else
	chanceFailure   = 0.15 // into that of if err != nil
	chanceCase      = 0.35 // into one case of a switch
	chanceLoop      = 0.9  // into the body of a loop
	chanceOperand   = 0.7  // to the right of && and ||
	chanceClosure   = 0.7  // into a function without a name that is not called at once
	chanceLeaving   = 0.8  // past an if that leaves the function
	chanceNoFailure = 0.97 // past an if err != nil that does
)

// chance is how likely a run of a function comes to a node below the last of stack.
func chance(info *types.Info, node ast.Node, stack []ast.Node) float32 {
	c := 1.0
	child := node
	for i := len(stack) - 1; i >= 0; i-- {
		c *= step(info, stack, i, child)
		child = stack[i]
	}
	return float32(c)
}

// step is how likely a run comes from the start of stack[i] to the start of its child.
func step(info *types.Info, stack []ast.Node, i int, child ast.Node) float64 {
	switch n := stack[i].(type) {
	case *ast.IfStmt:
		failure := failing(info, n.Cond)
		switch {
		case child == n.Body && failure:
			return chanceFailure
		case child == n.Else && failure:
			return 1 - chanceFailure
		case child == n.Body || child == n.Else:
			return chanceBranch
		}
	case *ast.CaseClause:
		if len(n.Body) > 0 && child.Pos() >= n.Body[0].Pos() {
			return chanceCase * passing(info, n.Body, child)
		}
	case *ast.CommClause:
		return chanceBranch
	case *ast.ForStmt:
		if child == n.Body {
			return chanceLoop
		}
	case *ast.RangeStmt:
		if child == n.Body {
			return chanceLoop
		}
	case *ast.BinaryExpr:
		if child == n.Y && (n.Op == token.LAND || n.Op == token.LOR) {
			return chanceOperand
		}
	case *ast.BlockStmt:
		return passing(info, n.List, child)
	case *ast.FuncLit:
		if i > 0 && !atOnce(stack[i-1], n) {
			return chanceClosure
		}
	}
	return 1
}

// passing is how likely a run comes past the statements before child.
func passing(info *types.Info, list []ast.Stmt, child ast.Node) float64 {
	c := 1.0
	for _, stmt := range list {
		if stmt == child {
			break
		}
		n, ok := stmt.(*ast.IfStmt)
		switch {
		case !ok || !leaves(n.Body):
		case failing(info, n.Cond):
			c *= chanceNoFailure
		default:
			c *= chanceLeaving
		}
	}
	return c
}

// failing reports whether a condition says that there is an error.
func failing(info *types.Info, cond ast.Expr) bool {
	n, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || n.Op != token.NEQ {
		return false
	}
	t := info.TypeOf(n.X)
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// leaves reports whether a block ends by leaving what is around it.
func leaves(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch n := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// atOnce reports whether a function without a name runs where it stands: it is called, deferred, or the body of a
// subtest or fuzz test.
func atOnce(parent ast.Node, lit *ast.FuncLit) bool {
	call, ok := parent.(*ast.CallExpr)
	if !ok {
		return false
	}
	if call.Fun == lit {
		return true
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Run" || sel.Sel.Name == "Fuzz")
}
