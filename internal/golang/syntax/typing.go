package syntax

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

// A Typing says by names what the type of an expression is, below its pointers: the type with that name, or one of the results of the
// function with it. Nothing is type-checked for it. Whether there is such a declaration, who asks must know.
type Typing struct {
	Of      *Typing // of a field or a method: what it is a member of; nil: a package declares the name
	Package string  // by which name the file imports that package; "": its own
	Name    string  // of the type, function, field or method; "": it is no type but the package itself
	Called  bool    // it is a function or a method
	Result  int     // which of its results, from 0
	// Depth is how many slices, arrays or maps are around the type: 2 for [][]T and map[string][]T. Below 0 the typing is of an element of
	// what is named: -1 for f()[0], -2 for f()[0][0].
	Depth int
}

// Operand returns the typing of x in the x.M whose M stands at a position, if the text of the declaration around it and of those that it
// names is enough for that. Of a name that the declaration does not declare it is that of a package, which the file imports by that name
// or does not.
func (f *File) Operand(at Position) (*Typing, bool) {
	c, ok := f.identifier(at)
	if !ok || c.ParentEdgeKind() != edge.SelectorExpr_Sel {
		return nil, false
	}
	selector, _ := c.Parent().Node().(*ast.SelectorExpr)
	if pkg, ok := selector.X.(*ast.Ident); ok && !(typer{at: c}).local(pkg.Name) {
		return &Typing{Package: pkg.Name}, true
	}
	t := typer{at: c}.value(selector.X)
	return t, t != nil
}

// OwnField reports whether x.M, whose M stands at a position, is a field of a struct that the declaration around it writes out.
func (f *File) OwnField(at Position) bool {
	c, ok := f.identifier(at)
	if !ok || c.ParentEdgeKind() != edge.SelectorExpr_Sel {
		return false
	}
	selector, _ := c.Parent().Node().(*ast.SelectorExpr)
	of, _ := typer{at: c}.underlying(selector.X)
	return fieldNamed(of, selector.Sel.Name) != nil
}

// Underlying returns the typing of the slice, array or map that the type whose name stands at a position is.
func (f *File) Underlying(at Position) (*Typing, bool) {
	spec, t, ok := f.typeSpec(at)
	if !ok || elementOf(spec.Type) == nil {
		return nil, false
	}
	typing := t.typ(spec.Type)
	return typing, typing != nil
}

// TypeTyping returns the typing of the type whose name stands at a position, where it is used.
func (f *File) TypeTyping(at Position) (*Typing, bool) {
	c, ok := f.identifier(at)
	if !ok || declares(c) {
		return nil, false
	}
	if c.ParentEdgeKind() == edge.SelectorExpr_Sel {
		c = c.Parent()
	}
	expr, ok := c.Node().(ast.Expr)
	if !ok {
		return nil, false
	}
	t := typer{at: c}.typ(expr)
	return t, t != nil
}

// ResultTyping returns the typing of a result of the function, method or interface's method whose name stands at a position.
func (f *File) ResultTyping(at Position, result int) (*Typing, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return nil, false
	}
	var signature *ast.FuncType
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		signature = n.Type
	case *ast.Field:
		signature, _ = n.Type.(*ast.FuncType)
	}
	if signature == nil {
		return nil, false
	}
	t := typer{at: c}.typ(fieldAt(signature.Results, result))
	return t, t != nil
}

// FieldTyping returns the typing of a field of the struct whose name stands at a position.
func (f *File) FieldTyping(at Position, name string) (*Typing, bool) {
	spec, t, ok := f.typeSpec(at)
	if !ok {
		return nil, false
	}
	typing := t.typ(fieldNamed(spec.Type, name))
	return typing, typing != nil
}

// typeSpec returns the declaration of the type whose name stands at a position.
func (f *File) typeSpec(at Position) (*ast.TypeSpec, typer, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return nil, typer{}, false
	}
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	return spec, typer{at: c}, ok
}

// fieldNamed returns the type of a field of a struct, nil if a type is none or has no such field.
func fieldNamed(of ast.Expr, name string) ast.Expr {
	fields, ok := of.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range fields.Fields.List {
		if hasName(field, name) {
			return field.Type
		}
	}
	return nil
}

// HasField reports whether the struct whose name stands at a position declares a field of a name, be it by embedding a type of that name.
func (f *File) HasField(at Position, name string) bool {
	d, ok := f.Type(at)
	return ok && d.Form == Struct && slices.ContainsFunc(d.Members, func(m Member) bool { return m.Name == name })
}

// InterfaceMethod returns where the interface whose name stands at a position itself declares a method.
func (f *File) InterfaceMethod(at Position, name string) (Position, bool) {
	d, ok := f.Type(at)
	if !ok || d.Form != Interface {
		return Position{}, false
	}
	i := slices.IndexFunc(d.Members, func(m Member) bool { return m.Name == name && !m.Embedded })
	if i < 0 {
		return Position{}, false
	}
	return d.Members[i].At, true
}

// Embedding returns the typings of what the interface whose name stands at a position embeds; false if it is none, or the text does not tell
// of all.
func (f *File) Embedding(at Position) (all []*Typing, ok bool) {
	spec, t, ok := f.typeSpec(at)
	if !ok {
		return nil, false
	}
	of, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil, false
	}
	for _, field := range of.Methods.List {
		if len(field.Names) > 0 {
			continue
		}
		typing := t.typ(field.Type)
		if typing == nil {
			return nil, false
		}
		all = append(all, typing)
	}
	return all, true
}

// DeclaresType reports whether the file declares a type of a name, be it in a group or within a function. Of its text only what may do so
// is parsed.
func (f *File) DeclaresType(name string) bool {
	return slices.ContainsFunc(f.words(name), func(at Position) bool {
		before := strings.TrimRight(f.before(at), " \t")
		switch {
		case before == "" || strings.HasSuffix(before, "type") || strings.HasSuffix(before, ";") || strings.HasSuffix(before, "*/"):
		case strings.HasSuffix(before, "(") && strings.Contains(before, "type"):
		default:
			return false
		}
		d, ok := f.Declares(at)
		return ok && d.Sort == SortType
	})
}

// hasName reports whether a field has a name, be it that of the type that it embeds.
func hasName(field *ast.Field, name string) bool {
	if len(field.Names) == 0 {
		return baseName(field.Type) == name
	}
	return slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == name })
}

// fieldAt returns the type of parameter or result i of a list, nil if it has not as many.
func fieldAt(list *ast.FieldList, i int) ast.Expr {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		if i -= max(len(field.Names), 1); i < 0 {
			return field.Type
		}
	}
	return nil
}
