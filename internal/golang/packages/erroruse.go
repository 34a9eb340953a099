package packages

import (
	"go/ast"
	"go/token"
	"go/types"

	"tidepool/internal/golang/fact"
)

// errorUse follows the error that a function returns when it is called, by the name that stands below stack.
func (c *collector) errorUse(fn *types.Func, id *ast.Ident, stack []ast.Node) fact.ErrorUse {
	results := fn.Signature().Results()
	at := results.Len() - 1
	for at >= 0 && !isError(results.At(at).Type()) {
		at--
	}
	call := len(stack) - 1
	for call >= 0 && !calling(stack[call], id) {
		call--
	}
	if at < 0 || call < 1 {
		return fact.NoError
	}
	f := errorUses{collector: c, stack: stack[:call+1]}
	f.body, f.named = around(stack)
	return f.ofCall(at, results.Len())
}

func calling(n ast.Node, id *ast.Ident) bool {
	call, ok := n.(*ast.CallExpr)
	return ok && call.Fun.Pos() <= id.Pos() && id.End() <= call.Fun.End()
}

// around returns the body of the innermost function around a node, nil in none, and the results that have names.
func around(stack []ast.Node) (body *ast.BlockStmt, named []*ast.Ident) {
	for i := len(stack) - 1; i >= 0; i-- {
		var t *ast.FuncType
		switch n := stack[i].(type) {
		case *ast.FuncLit:
			body, t = n.Body, n.Type
		case *ast.FuncDecl:
			body, t = n.Body, n.Type
		default:
			continue
		}
		if t.Results != nil {
			for _, field := range t.Results.List {
				named = append(named, field.Names...)
			}
		}
		return body, named
	}
	return nil, nil
}

// errorUses follow one error through the function in which a call returns it. stack ends in the call.
type errorUses struct {
	*collector
	stack []ast.Node
	body  *ast.BlockStmt
	named []*ast.Ident // results
}

// ofCall looks at the statement around the call, whose result at an index is the error.
func (f *errorUses) ofCall(at, results int) fact.ErrorUse {
	last := len(f.stack) - 1
	call, _ := f.stack[last].(ast.Expr)
	whole := call // the expression in the statement that the call is or is in
	for i := last - 1; i >= 0; i-- {
		switch n := f.stack[i].(type) {
		case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
			if ast.Unparen(whole) == call {
				return fact.Dropped
			}
			return fact.Handled
		case *ast.AssignStmt:
			if ast.Unparen(whole) == call && len(n.Rhs) == 1 && results > 1 {
				return f.into(n.Lhs[min(at, len(n.Lhs)-1)], n.End())
			}
			return f.onward(n, whole)
		case *ast.ValueSpec:
			if len(n.Values) == 1 && ast.Unparen(whole) == call && f.body != nil {
				return f.into(n.Names[min(at, len(n.Names)-1)], n.End())
			}
			return fact.Handled
		case ast.Stmt, *ast.FuncLit:
			return f.tested(n, whole, nil)
		case ast.Expr:
			whole = n
		}
	}
	return fact.Handled
}

// onward follows what a variable is made of into it, if it is an error.
func (f *errorUses) onward(n *ast.AssignStmt, of ast.Expr) fact.ErrorUse {
	for i, e := range n.Rhs {
		if e == of && len(n.Lhs) == len(n.Rhs) && (blank(n.Lhs[i]) || f.fails(n.Lhs[i])) {
			return f.into(n.Lhs[i], n.End())
		}
	}
	return fact.Handled
}

// into follows the error into what is assigned to.
func (f *errorUses) into(left ast.Expr, from token.Pos) fact.ErrorUse {
	name, ok := ast.Unparen(left).(*ast.Ident)
	switch {
	case blank(left):
		return fact.Dropped
	case !ok || f.body == nil || f.info.ObjectOf(name) == nil:
		return fact.Handled // in a field, an element, a package
	}
	v := f.info.ObjectOf(name)
	if !f.isNamed(v) && (v.Pos() < f.body.Pos() || f.body.End() < v.Pos()) {
		return fact.Handled // by the function around
	}
	return f.ofVariable(v, from)
}

// blank reports whether what is assigned is thrown away.
func blank(left ast.Expr) bool {
	name, ok := left.(*ast.Ident)
	return ok && name.Name == "_"
}

// ofVariable follows a variable from where it has taken the error to where it takes something else, in the order of the
// text.
func (f *errorUses) ofVariable(v types.Object, from token.Pos) fact.ErrorUse {
	until := f.retaken(v, from)
	if until == f.body.End() && f.isNamed(v) {
		return fact.Passed
	}
	found := fact.Dropped
	ast.PreorderStack(f.body, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && f.info.Uses[id] == v && from <= id.Pos() && id.Pos() < until && found != fact.Passed {
			if of := f.ofUse(v, id, stack); of != fact.Dropped {
				found = of
			}
		}
		return true
	})
	return found
}

// retaken returns the end of the statement that assigns to a variable again.
func (f *errorUses) retaken(v types.Object, from token.Pos) token.Pos {
	until := f.body.End()
	ast.Inspect(f.body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() < from || assign.Pos() >= until {
			return true
		}
		for _, e := range assign.Lhs {
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.info.ObjectOf(id) == v {
				until = assign.End()
			}
		}
		return true
	})
	return until
}

func (f *errorUses) isNamed(v types.Object) bool {
	for _, name := range f.named {
		if f.info.Defs[name] == v {
			return true
		}
	}
	return false
}

// ofUse returns what a use of the variable does with the error.
func (f *errorUses) ofUse(v types.Object, id *ast.Ident, stack []ast.Node) fact.ErrorUse {
	for _, n := range stack {
		if _, ok := n.(*ast.FuncLit); ok {
			return fact.Handled
		}
	}
	var whole ast.Expr = id
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if e == whole {
					return fact.Dropped // by what is assigned
				}
			}
			return f.onward(n, whole)
		case ast.Stmt:
			return f.tested(n, whole, v)
		case ast.Expr:
			whole = n
		}
	}
	return fact.Handled
}

// tested returns what a statement does that has the error, or the variable that holds it, in an expression of its own.
func (f *errorUses) tested(n ast.Node, whole ast.Expr, v types.Object) fact.ErrorUse {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		if f.fails(whole) {
			return fact.Passed
		}
	case *ast.IfStmt:
		if whole == n.Cond && !negates(whole) && f.returnsError(n.Body, v) {
			return fact.Passed
		}
	case *ast.CaseClause:
		if !negates(whole) && f.returnsError(n, v) {
			return fact.Passed
		}
	}
	return fact.Handled
}

// negates reports whether a condition may hold because there is no error.
func negates(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || n.Op == token.EQL || n.Op == token.LOR
		case *ast.UnaryExpr:
			found = found || n.Op == token.NOT
		}
		return !found
	})
	return found
}

// returnsError reports whether a statement returns an error that may not be nil.
func (f *errorUses) returnsError(body ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) == 0 && v != nil && f.isNamed(v)
			for _, e := range n.Results {
				found = found || f.fails(e) && !f.info.Types[e].IsNil()
			}
		}
		return true
	})
	return found
}

// fails reports whether a value is an error, or one of several values is.
func (f *errorUses) fails(e ast.Expr) bool {
	switch t := f.info.TypeOf(e).(type) {
	case nil:
		return false
	case *types.Tuple:
		return t.Len() > 0 && isError(t.At(t.Len()-1).Type())
	default:
		return isError(t) || !types.IsInterface(t) && types.AssignableTo(t, types.Universe.Lookup("error").Type()) && t != types.Typ[types.UntypedNil]
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
