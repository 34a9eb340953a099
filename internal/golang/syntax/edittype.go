package syntax

import (
	"go/ast"
	"go/parser"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Retype gives the field, variable, constant or type declared at a place another type.
func (f *File) Retype(at Position, typ string) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	if field, ok := memberAt(c); ok {
		if field.Parent().ParentEdgeKind() == edge.InterfaceType_Methods {
			return Revision{}, &EditError{id.Name, "a member of an interface has no type of its own"}
		}
		edit, err := f.retypeField(field, id, typ)
		if err != nil {
			return Revision{}, err
		}
		return f.revise(id.Name, nil, edit)
	}
	switch n := c.Parent().Node().(type) {
	case *ast.TypeSpec:
		return f.revise(id.Name, nil, f.replace(n.Type.Pos(), n.Type.End(), typ))
	case *ast.ValueSpec:
		edit, err := f.retypeValue(c, n, id, typ)
		if err != nil {
			return Revision{}, err
		}
		return f.revise(id.Name, nil, edit)
	}
	return Revision{}, &EditError{id.Name, "it is not declared with a type of its own"}
}

func (f *File) retypeField(c inspector.Cursor, id *ast.Ident, typ string) (Edit, error) {
	field, _ := c.Node().(*ast.Field)
	switch len(field.Names) {
	case 0:
		if !embeddable(typ) { // under its name, so that it is missed only where its type is
			typ = id.Name + " " + typ
		}
		return f.replace(field.Pos(), field.End(), typ), nil
	case 1:
		return f.replace(field.Type.Pos(), field.End(), typ), nil
	}
	return f.apart(group{field, field.Names, f.text(field.Type), "; "}, id, id.Name+" "+typ)
}

// embeddable reports whether a struct can embed a type as it is written.
func embeddable(typ string) bool {
	expr, err := parser.ParseExpr(typ)
	if err != nil {
		return false
	}
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	switch expr.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

func (f *File) retypeValue(c inspector.Cursor, spec *ast.ValueSpec, id *ast.Ident, typ string) (Edit, error) {
	decl, ok := c.Parent().Parent().Node().(*ast.GenDecl)
	switch {
	case !ok:
		return Edit{}, &EditError{id.Name, "it is not declared with a type of its own"}
	case len(spec.Names) == 1 && spec.Type != nil:
		return f.replace(spec.Type.Pos(), spec.Type.End(), typ), nil
	case len(spec.Names) == 1 && len(spec.Values) == 1:
		return f.insert(id.End(), " "+typ), nil
	case len(spec.Values) > 0 || spec.Type == nil:
		return Edit{}, &EditError{id.Name, "it is declared together with other names"}
	}
	separator := "; "
	if !decl.Lparen.IsValid() {
		separator = "; var "
	}
	return f.apart(group{spec, spec.Names, f.text(spec.Type), separator}, id, id.Name+" "+typ)
}
