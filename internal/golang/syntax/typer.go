package syntax

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A typer reads off the text what names mean at a place.
type typer struct {
	at    inspector.Cursor
	steps int // from declaration to declaration that led to the place
}

// maxSteps bounds the declarations of variables and types that lead from one to the next, which may be a circle: type T *T.
const maxSteps = 16

// from returns the typer at a declaration that a name at the place means; false if there is none, or too many led here.
func (t typer) from(name string) (there typer, ok bool) {
	id, ok := localDeclaration(t.at, name)
	return typer{id, t.steps + 1}, ok && t.steps < maxSteps
}

// local reports whether a name means something that the declaration around the place declares itself.
func (t typer) local(name string) bool {
	_, ok := localDeclaration(t.at, name)
	return ok
}

// value returns the typing of an expression, nil if the text does not tell.
func (t typer) value(x ast.Expr) *Typing {
	if typ, there := t.written(x); typ != nil {
		return there.typ(typ)
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return t.variable(x.Name)
	case *ast.SelectorExpr:
		if of := t.value(x.X); of != nil {
			return &Typing{Of: of, Name: x.Sel.Name}
		}
	case *ast.CallExpr:
		return t.called(x.Fun, 0)
	case *ast.IndexExpr:
		return element(t.value(x.X))
	case *ast.SliceExpr:
		return t.value(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return t.value(x.X)
		}
	}
	return nil
}

// element returns the typing of the elements of slices, arrays or maps.
func element(of *Typing) *Typing {
	if of == nil {
		return nil
	}
	t := *of
	t.Depth--
	return &t
}

// written returns the type of an expression as the declaration around it writes it, and where it stands; nil if it does not.
func (t typer) written(x ast.Expr) (typ ast.Expr, there typer) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return t.writtenOf(x.Name)
	case *ast.SelectorExpr:
		of, there := t.underlying(x.X)
		return fieldNamed(of, x.Sel.Name), there
	case *ast.CompositeLit:
		if _, pointer := x.Type.(*ast.StarExpr); !pointer {
			return x.Type, t
		}
	case *ast.TypeAssertExpr:
		return x.Type, t
	case *ast.IndexExpr:
		of, there := t.underlying(x.X)
		return elementOf(of), there
	case *ast.SliceExpr:
		return t.written(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return t.written(x.X)
		}
	}
	return nil, t
}

// writtenOf is written of a variable.
func (t typer) writtenOf(name string) (typ ast.Expr, there typer) {
	there, ok := t.from(name)
	if !ok {
		return nil, t
	}
	id := there.at
	_, i := id.ParentEdge()
	switch n := id.Parent().Node().(type) {
	case *ast.Field:
		return n.Type, there
	case *ast.ValueSpec:
		if n.Type == nil && len(n.Values) == len(n.Names) {
			return there.written(n.Values[i])
		}
		return n.Type, there
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			return there.written(n.Rhs[i])
		}
		if i == 0 { // and whether there is one
			return there.written(n.Rhs[0])
		}
	case *ast.RangeStmt:
		if id.ParentEdgeKind() == edge.RangeStmt_Value {
			of, there := there.underlying(n.X)
			return elementOf(of), there
		}
	}
	return nil, t
}

// underlying is written, without pointers and with what a name means that the declaration itself declares.
func (t typer) underlying(x ast.Expr) (typ ast.Expr, there typer) {
	typ, there = t.written(x)
	for {
		switch e := unparen(typ).(type) {
		case *ast.StarExpr:
			typ = e.X
			continue
		case *ast.Ident:
			if next, ok := there.from(e.Name); ok && next.at.ParentEdgeKind() == edge.TypeSpec_Name {
				spec, _ := next.at.Parent().Node().(*ast.TypeSpec)
				typ, there = spec.Type, next
				continue
			}
		}
		return unparen(typ), there
	}
}

// elementOf returns the type of the elements of a slice, an array or a map, nil of another type.
func elementOf(typ ast.Expr) ast.Expr {
	switch e := typ.(type) {
	case *ast.ArrayType:
		return e.Elt
	case *ast.MapType:
		return e.Value
	case *ast.Ellipsis:
		return e.Elt
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

// typ returns the typing that a type expression names: T, *T, p.T, T[K], []T.
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
	case *ast.ArrayType, *ast.MapType, *ast.Ellipsis:
		if of := t.typ(elementOf(e)); of != nil {
			of.Depth++
			return of
		}
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

// variable returns the typing of a variable whose type nobody writes.
func (t typer) variable(name string) *Typing {
	there, ok := t.from(name)
	if !ok {
		return nil
	}
	id := there.at
	_, i := id.ParentEdge()
	switch n := id.Parent().Node().(type) {
	case *ast.ValueSpec:
		return there.assigned(len(n.Names), n.Values, i)
	case *ast.AssignStmt:
		return there.assigned(len(n.Lhs), n.Rhs, i)
	case *ast.RangeStmt:
		if id.ParentEdgeKind() == edge.RangeStmt_Value {
			return element(there.value(n.X))
		}
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
	if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok {
		return t.called(call.Fun, i)
	}
	if i == 0 { // and whether there is one
		return t.value(values[0])
	}
	return nil
}
