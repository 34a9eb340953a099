package syntax

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// OperandType returns the name of the type of x in the x.M whose M stands at a position, where the function around it leaves
// no doubt: x is a receiver, a parameter or a variable of it, of a type T or *T that the package declares, and the function declares
// neither name again. Whether the package does declare T, who asks must know.
func (f *File) OperandType(at Position) (name string, ok bool) {
	if p, ok := f.part(at); ok {
		return p.OperandType(p.in(at))
	}
	c, ok := f.identifier(at)
	if !ok || c.ParentEdgeKind() != edge.SelectorExpr_Sel {
		return "", false
	}
	selector, _ := c.Parent().Node().(*ast.SelectorExpr)
	x, ok := ast.Unparen(selector.X).(*ast.Ident)
	if !ok {
		return "", false
	}
	for function := range c.Enclosing((*ast.FuncDecl)(nil)) {
		decl, sole := declaredOnce(function, x.Name)
		if !sole {
			return "", false
		}
		named := declaredType(decl, c)
		if named == nil || declaresAny(function, named.Name) {
			return "", false
		}
		return named.Name, true
	}
	return "", false
}

// declaredOnce returns the identifier that declares a name within c; false if none does, or more.
func declaredOnce(c inspector.Cursor, name string) (inspector.Cursor, bool) {
	var found inspector.Cursor
	n := 0
	for id := range c.Preorder((*ast.Ident)(nil)) {
		if known, _ := id.Node().(*ast.Ident); known.Name == name && declares(id) {
			found = id
			n++
		}
	}
	return found, n == 1
}

// declaresAny reports whether a function declares a name, be it as a parameter of its receiver's type.
func declaresAny(function inspector.Cursor, name string) bool {
	for id := range function.Preorder((*ast.Ident)(nil)) {
		known, _ := id.Node().(*ast.Ident)
		if known.Name != name {
			continue
		}
		if declares(id) && id.ParentEdgeKind() != edge.FuncDecl_Name {
			return true
		}
		argument := id.ParentEdgeKind() == edge.IndexExpr_Index || id.ParentEdgeKind() == edge.IndexListExpr_Indices
		if argument && fieldOf(id) == edge.FuncDecl_Recv {
			return true
		}
	}
	return false
}

// fieldOf returns which list the field around c belongs to.
func fieldOf(c inspector.Cursor) edge.Kind {
	for field := range c.Enclosing((*ast.Field)(nil)) {
		return field.Parent().ParentEdgeKind()
	}
	return edge.Invalid
}

// declaredType returns the name of the type with which an identifier is declared, if the declaration counts at c; nil if it does
// not, or if its type has no name or one of another package.
func declaredType(id, c inspector.Cursor) *ast.Ident {
	switch id.ParentEdgeKind() {
	case edge.Field_Names:
		field, _ := id.Parent().Node().(*ast.Field)
		if encloses(scopeOf(id.Parent().Parent()), c) {
			return pointed(field.Type)
		}
	case edge.ValueSpec_Names:
		spec, _ := id.Parent().Node().(*ast.ValueSpec)
		scope := id.Parent().Parent().Parent().Parent() // around the declaration and its statement
		if spec.Type != nil && encloses(scope.Node(), c) && spec.End() <= c.Node().Pos() {
			return pointed(spec.Type)
		}
	case edge.AssignStmt_Lhs:
		assign, _ := id.Parent().Node().(*ast.AssignStmt)
		_, i := id.ParentEdge()
		if len(assign.Lhs) == len(assign.Rhs) && encloses(id.Parent().Parent().Node(), c) && assign.End() <= c.Node().Pos() {
			return made(assign.Rhs[i])
		}
	}
	return nil
}

// scopeOf returns the body in which receivers or parameters of a list count, nil if there is none.
func scopeOf(list inspector.Cursor) ast.Node {
	of := list.Parent()
	switch list.ParentEdgeKind() {
	case edge.FuncDecl_Recv:
	case edge.FuncType_Params:
		of = of.Parent()
	default:
		return nil
	}
	switch n := of.Node().(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			return n.Body
		}
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

func encloses(n ast.Node, c inspector.Cursor) bool {
	return n != nil && n.Pos() <= c.Node().Pos() && c.Node().End() <= n.End()
}

// pointed returns the T of T, *T and T[K].
func pointed(expr ast.Expr) *ast.Ident {
	if star, ok := ast.Unparen(expr).(*ast.StarExpr); ok {
		expr = star.X
	}
	switch t := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return t
	case *ast.IndexExpr:
		return pointedName(t.X)
	case *ast.IndexListExpr:
		return pointedName(t.X)
	}
	return nil
}

func pointedName(expr ast.Expr) *ast.Ident {
	id, _ := expr.(*ast.Ident)
	return id
}

// made returns the T of T{} and &T{}.
func made(expr ast.Expr) *ast.Ident {
	if address, ok := ast.Unparen(expr).(*ast.UnaryExpr); ok && address.Op == token.AND {
		expr = address.X
	}
	literal, ok := ast.Unparen(expr).(*ast.CompositeLit)
	if !ok || literal.Type == nil {
		return nil
	}
	if _, pointer := literal.Type.(*ast.StarExpr); pointer {
		return nil
	}
	return pointed(literal.Type)
}

// MethodsNamed returns where methods of a name are declared in the usual way of writing, by the names of their types.
func (f *File) MethodsNamed(name string) map[string]Position {
	all := make(map[string]Position)
	for _, at := range f.words(name) {
		before := f.before(at)
		if !strings.HasPrefix(before, "func (") || !strings.HasSuffix(before, ") ") {
			continue
		}
		if d, ok := f.Declares(at); ok && d.Sort == SortMethod {
			all[strings.TrimSuffix(d.Name, "."+name)] = at
		}
	}
	return all
}
