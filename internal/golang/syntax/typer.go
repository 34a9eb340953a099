package syntax

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A typer reads off the text what names mean at a place.
type typer struct{ at inspector.Cursor }

// local reports whether a name means something that the declaration around the place declares itself.
func (t typer) local(name string) bool {
	_, ok := localDeclaration(t.at, name)
	return ok
}

// value returns the typing of an expression, nil if the text does not tell.
func (t typer) value(x ast.Expr) *Typing {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return t.variable(x.Name)
	case *ast.SelectorExpr:
		if of := t.value(x.X); of != nil {
			return &Typing{Of: of, Name: x.Sel.Name}
		}
	case *ast.CallExpr:
		return t.called(x.Fun, 0)
	case *ast.TypeAssertExpr:
		return t.typ(x.Type)
	case *ast.CompositeLit:
		if _, pointer := x.Type.(*ast.StarExpr); !pointer {
			return t.typ(x.Type)
		}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return t.value(x.X)
		}
	}
	return nil
}

// called returns the typing of a result of a function.
func (t typer) called(function ast.Expr, result int) *Typing {
	switch f := ast.Unparen(function).(type) {
	case *ast.Ident:
		if !t.local(f.Name) {
			return &Typing{Name: f.Name, Called: true, Result: result}
		}
	case *ast.SelectorExpr:
		if pkg, ok := f.X.(*ast.Ident); ok && !t.local(pkg.Name) {
			return &Typing{Package: pkg.Name, Name: f.Sel.Name, Called: true, Result: result}
		}
		if of := t.value(f.X); of != nil {
			return &Typing{Of: of, Name: f.Sel.Name, Called: true, Result: result}
		}
	case *ast.IndexExpr:
		return t.called(f.X, result)
	case *ast.IndexListExpr:
		return t.called(f.X, result)
	}
	return nil
}

// typ returns the typing that a type expression names: T, *T, p.T, T[K].
func (t typer) typ(expr ast.Expr) *Typing {
	if star, ok := unparen(expr).(*ast.StarExpr); ok {
		expr = star.X
	}
	switch e := unparen(expr).(type) {
	case *ast.Ident:
		if !t.local(e.Name) {
			return &Typing{Name: e.Name}
		}
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok && !t.local(pkg.Name) {
			return &Typing{Package: pkg.Name, Name: e.Sel.Name}
		}
	case *ast.IndexExpr:
		return t.typ(e.X)
	case *ast.IndexListExpr:
		return t.typ(e.X)
	}
	return nil
}

// unparen is ast.Unparen that takes nil.
func unparen(expr ast.Expr) ast.Expr {
	if expr == nil {
		return nil
	}
	return ast.Unparen(expr)
}

// variable returns the typing of the variable that a name means.
func (t typer) variable(name string) *Typing {
	id, ok := localDeclaration(t.at, name)
	if !ok {
		return nil
	}
	there := typer{id}
	switch id.ParentEdgeKind() {
	case edge.Field_Names:
		field, _ := id.Parent().Node().(*ast.Field)
		return there.typ(field.Type)
	case edge.ValueSpec_Names:
		spec, _ := id.Parent().Node().(*ast.ValueSpec)
		if spec.Type != nil {
			return there.typ(spec.Type)
		}
		_, i := id.ParentEdge()
		return there.assigned(len(spec.Names), spec.Values, i)
	case edge.AssignStmt_Lhs:
		assign, _ := id.Parent().Node().(*ast.AssignStmt)
		_, i := id.ParentEdge()
		return there.assigned(len(assign.Lhs), assign.Rhs, i)
	}
	return nil
}

// assigned returns the typing of the variable at an index among n that values are assigned to.
func (t typer) assigned(n int, values []ast.Expr, i int) *Typing {
	switch {
	case len(values) == n:
		return t.value(values[i])
	case len(values) != 1:
		return nil
	}
	switch v := ast.Unparen(values[0]).(type) {
	case *ast.CallExpr:
		return t.called(v.Fun, i)
	case *ast.TypeAssertExpr:
		if i == 0 {
			return t.typ(v.Type)
		}
	}
	return nil
}
