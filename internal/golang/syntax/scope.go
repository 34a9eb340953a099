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
	s := scopes{name, at.Node().Pos()}
	for c := at; c.ParentEdgeKind() != edge.Invalid; c = c.Parent() {
		if found := s.around(c.Parent(), c.Node()); found != nil {
			return c.Parent().FindNode(found)
		}
	}
	return inspector.Cursor{}, false
}

// A scopes looks for a name in the scopes around a position.
type scopes struct {
	name string
	pos  token.Pos
}

// around returns the identifier that declares the name in the scope of a node, for what stands in one of its children.
func (s scopes) around(c inspector.Cursor, child ast.Node) *ast.Ident {
	switch n := c.Node().(type) {
	case *ast.BlockStmt:
		if kind := c.ParentEdgeKind(); kind != edge.FuncDecl_Body && kind != edge.FuncLit_Body {
			return s.statements(n.List...)
		}
	case *ast.CaseClause:
		return s.statements(n.Body...)
	case *ast.CommClause:
		return or(s.statements(n.Comm), s.statements(n.Body...))
	case *ast.IfStmt:
		return s.statements(n.Init)
	case *ast.ForStmt:
		return s.statements(n.Init)
	case *ast.SwitchStmt:
		return s.statements(n.Init)
	case *ast.TypeSwitchStmt:
		return or(s.statements(n.Assign), s.statements(n.Init))
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE && child == n.Body {
			return s.expressions(n.Key, n.Value)
		}
	case *ast.FuncLit:
		return s.function(n.Type, nil, n.Body, child)
	case *ast.FuncDecl:
		return or(s.function(n.Type, n.Recv, n.Body, child), s.typeParameters(n))
	case *ast.TypeSpec:
		return s.fields(n.TypeParams)
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
func (s scopes) function(of *ast.FuncType, receiver *ast.FieldList, body *ast.BlockStmt, child ast.Node) *ast.Ident {
	if body == nil || child != ast.Node(body) {
		return nil
	}
	parameters := or(s.fields(receiver), or(s.fields(of.Params), s.fields(of.Results)))
	return or(parameters, s.statements(body.List...))
}

// typeParameters looks at those of a function, and at those of a method's receiver.
func (s scopes) typeParameters(of *ast.FuncDecl) *ast.Ident {
	if of.Recv == nil || len(of.Recv.List) == 0 {
		return s.fields(of.Type.TypeParams)
	}
	receiver := of.Recv.List[0].Type
	if star, ok := ast.Unparen(receiver).(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch t := ast.Unparen(receiver).(type) {
	case *ast.IndexExpr:
		return s.expressions(t.Index)
	case *ast.IndexListExpr:
		return s.expressions(t.Indices...)
	}
	return nil
}

func (s scopes) fields(list *ast.FieldList) *ast.Ident {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			if id.Name == s.name {
				return id
			}
		}
	}
	return nil
}

func (s scopes) expressions(all ...ast.Expr) *ast.Ident {
	for _, expr := range all {
		if id, ok := expr.(*ast.Ident); ok && id.Name == s.name {
			return id
		}
	}
	return nil
}

// statements looks at declarations whose scope the position is in. The first one of a name declares it: a := behind it assigns.
func (s scopes) statements(all ...ast.Stmt) *ast.Ident {
	for _, statement := range all {
		if labeled, ok := statement.(*ast.LabeledStmt); ok {
			statement = labeled.Stmt
		}
		var id *ast.Ident
		switch n := statement.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && n.End() <= s.pos {
				id = s.expressions(n.Lhs...)
			}
		case *ast.DeclStmt:
			id = s.declaration(n)
		}
		if id != nil {
			return id
		}
	}
	return nil
}

func (s scopes) declaration(of *ast.DeclStmt) *ast.Ident {
	group, ok := of.Decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range group.Specs {
		switch n := spec.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if id.Name == s.name && n.End() <= s.pos {
					return id
				}
			}
		case *ast.TypeSpec:
			if n.Name.Name == s.name && n.Name.Pos() <= s.pos {
				return n.Name
			}
		}
	}
	return nil
}
