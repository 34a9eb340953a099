package syntax

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// localDeclaration returns the identifier that declares what a name means at a place, if that is declared within the top-level
// declaration around it: a parameter, a variable, a constant or a type of a function, or a type parameter. See "Declarations and
// scope" of the language's specification.
func localDeclaration(at inspector.Cursor, name string) (id inspector.Cursor, ok bool) {
	l := lookup{name, at.Node().Pos()}
	for c := at; c.ParentEdgeKind() != edge.Invalid; c = c.Parent() {
		if found := l.around(c.Parent(), c.Node()); found != nil {
			return c.Parent().FindNode(found)
		}
	}
	return inspector.Cursor{}, false
}

// A lookup is a name, and the position in whose scopes its declaration is sought.
type lookup struct {
	name string
	pos  token.Pos
}

// around returns the identifier that declares the name in the scope of a node, for what stands in one of its children.
func (l lookup) around(c inspector.Cursor, child ast.Node) *ast.Ident {
	switch n := c.Node().(type) {
	case *ast.BlockStmt:
		if kind := c.ParentEdgeKind(); kind != edge.FuncDecl_Body && kind != edge.FuncLit_Body {
			return l.statements(n.List...)
		}
	case *ast.CaseClause:
		return l.statements(n.Body...)
	case *ast.CommClause:
		return or(l.statements(n.Comm), l.statements(n.Body...))
	case *ast.IfStmt:
		return l.statements(n.Init)
	case *ast.ForStmt:
		return l.statements(n.Init)
	case *ast.SwitchStmt:
		return l.statements(n.Init)
	case *ast.TypeSwitchStmt:
		return or(l.statements(n.Assign), l.statements(n.Init))
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE && child == n.Body {
			return l.expressions(n.Key, n.Value)
		}
	case *ast.FuncLit:
		return l.function(n.Type, nil, n.Body, child)
	case *ast.FuncDecl:
		return or(l.function(n.Type, n.Recv, n.Body, child), l.typeParameters(n))
	case *ast.TypeSpec:
		return l.fields(n.TypeParams)
	}
	return nil
}

func or(a, b *ast.Ident) *ast.Ident {
	if a != nil {
		return a
	}
	return b
}

// function looks at the parameters and the body of a function, which are one scope: := does not declare a parameter again.
func (l lookup) function(of *ast.FuncType, receiver *ast.FieldList, body *ast.BlockStmt, child ast.Node) *ast.Ident {
	if body == nil || child != ast.Node(body) {
		return nil
	}
	parameters := or(l.fields(receiver), or(l.fields(of.Params), l.fields(of.Results)))
	return or(parameters, l.statements(body.List...))
}

// typeParameters looks at those of a function, and at those of a method's receiver.
func (l lookup) typeParameters(of *ast.FuncDecl) *ast.Ident {
	if of.Recv == nil || len(of.Recv.List) == 0 {
		return l.fields(of.Type.TypeParams)
	}
	receiver := of.Recv.List[0].Type
	if star, ok := ast.Unparen(receiver).(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch t := ast.Unparen(receiver).(type) {
	case *ast.IndexExpr:
		return l.expressions(t.Index)
	case *ast.IndexListExpr:
		return l.expressions(t.Indices...)
	}
	return nil
}

func (l lookup) fields(list *ast.FieldList) *ast.Ident {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			if id.Name == l.name {
				return id
			}
		}
	}
	return nil
}

func (l lookup) expressions(all ...ast.Expr) *ast.Ident {
	for _, expr := range all {
		if id, ok := expr.(*ast.Ident); ok && id.Name == l.name {
			return id
		}
	}
	return nil
}

// statements looks at declarations whose scope the position is in. The first one of a name declares it: a := behind it assigns.
func (l lookup) statements(all ...ast.Stmt) *ast.Ident {
	for _, statement := range all {
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		var id *ast.Ident
		switch n := statement.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && n.End() <= l.pos {
				id = l.expressions(n.Lhs...)
			}
		case *ast.DeclStmt:
			id = l.declaration(n)
		}
		if id != nil {
			return id
		}
	}
	return nil
}

func (l lookup) declaration(of *ast.DeclStmt) *ast.Ident {
	group, ok := of.Decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range group.Specs {
		switch n := spec.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if id.Name == l.name && n.End() <= l.pos {
					return id
				}
			}
		case *ast.TypeSpec:
			if n.Name.Name == l.name && n.Name.Pos() <= l.pos {
				return n.Name
			}
		}
	}
	return nil
}
