package syntax

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A Sort says what a declaration declares.
type Sort string

// The sorts of declarations.
const (
	SortFunction        Sort = "function"
	SortMethod          Sort = "method"
	SortInterfaceMethod Sort = "interface method"
	SortType            Sort = "type"
	SortField           Sort = "field"
	SortConstant        Sort = "constant"
	SortVariable        Sort = "variable"
)

// A Decl is where a name is declared.
type Decl struct {
	Name string // "F", "T.M", "T.Field"
	Sort Sort
	Form Form     // of a type
	At   Position // of the identifier
}

// Declares returns what the identifier at a position declares; false if it is used there. Local variables and
// parameters are variables.
func (f *File) Declares(at Position) (Decl, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return Decl{}, false
	}
	return f.declaration(c)
}

// declaration returns what an identifier declares.
func (f *File) declaration(c inspector.Cursor) (Decl, bool) {
	if !declares(c) {
		return Decl{}, false
	}
	id, ok := c.Node().(*ast.Ident)
	if !ok {
		return Decl{}, false
	}
	d := Decl{Name: id.Name, At: f.position(id.Pos()), Sort: SortVariable}
	switch parent := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		d.Name, d.Sort = FuncName(parent), sortOfFunc(parent)
	case *ast.TypeSpec:
		d.Sort, d.Form = SortType, formOf(parent.Type)
	case *ast.ValueSpec:
		d.Sort = sortOfValue(c.Parent())
	case *ast.Field:
		d.member(c.Parent(), enclosing(c))
	case *ast.File, *ast.LabeledStmt:
		return Decl{}, false
	}
	return d, true
}

// member completes the declaration of a name in a list of fields.
func (d *Decl) member(field inspector.Cursor, outer string) {
	switch field.Parent().ParentEdgeKind() {
	case edge.StructType_Fields:
		d.Sort = SortField
	case edge.InterfaceType_Methods:
		d.Sort = SortInterfaceMethod
	default:
		return
	}
	d.Name = outer + "." + d.Name
}

func sortOfFunc(decl *ast.FuncDecl) Sort {
	if decl.Recv != nil {
		return SortMethod
	}
	return SortFunction
}

func sortOfValue(spec inspector.Cursor) Sort {
	if group, ok := spec.Parent().Node().(*ast.GenDecl); ok && group.Tok == token.CONST {
		return SortConstant
	}
	return SortVariable
}

// Outer returns the top-level declaration around a position, the first name of one that declares several; false
// outside of any.
func (f *File) Outer(at Position) (Decl, bool) {
	c, ok := f.node(at)
	if !ok {
		return Decl{}, false
	}
	var outer *ast.Ident
	for around := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.TypeSpec)(nil), (*ast.ValueSpec)(nil)) {
		switch n := around.Node().(type) {
		case *ast.FuncDecl:
			outer = n.Name
		case *ast.TypeSpec:
			outer = n.Name
		case *ast.ValueSpec:
			outer = n.Names[0]
		}
	}
	if outer == nil {
		return Decl{}, false
	}
	return f.Declares(f.position(outer.Pos()))
}

// Tests reports whether a declaration of a test file is run by go test: a test, benchmark, fuzz test or example.
func (d Decl) Tests() bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(d.Name, prefix) && d.Sort == SortFunction {
			return true
		}
	}
	return false
}

// whole returns where the switch starts that has c as a case, or the composite literal that has it as a key or an
// element.
func (f *File) whole(c inspector.Cursor) Position {
	c = skip(c, composing)
	switch kind := c.ParentEdgeKind(); kind {
	case edge.CaseClause_List:
		return f.position(c.Parent().Parent().Parent().Node().Pos())
	case edge.KeyValueExpr_Key:
		c = c.Parent()
	}
	if c.ParentEdgeKind() == edge.CompositeLit_Elts {
		return f.position(c.Parent().Node().Pos())
	}
	return Position{}
}
