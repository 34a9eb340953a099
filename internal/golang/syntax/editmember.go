package syntax

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// AddMethod has the interface declared at a place ask for one more method, written as an interface would:
// "Close() error".
func (f *File) AddMethod(at Position, method string) (Revision, error) {
	spec, id, err := f.typeNamed(at)
	if err != nil {
		return Revision{}, err
	}
	t, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return Revision{}, &EditError{id.Name, "it is not declared as an interface"}
	}
	text := " " + method
	if len(t.Methods.List) > 0 {
		text += ";"
	}
	return f.revise(id.Name, nil, f.insert(t.Methods.Opening+1, text+" "))
}

// typeNamed returns the declaration of the type declared at a place, and its name.
func (f *File) typeNamed(at Position) (*ast.TypeSpec, *ast.Ident, error) {
	c, id, err := f.named(at)
	if err != nil {
		return nil, nil, err
	}
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	if !ok {
		return nil, nil, &EditError{id.Name, "it is not a type"}
	}
	return spec, id, nil
}

// RemoveMember takes a field, or a type that is embedded, out of a struct, or a method out of an interface.
func (f *File) RemoveMember(at Position) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	field, ok := memberAt(c)
	if !ok {
		return Revision{}, &EditError{id.Name, "it is not a member of a type"}
	}
	return f.removeMember(field, id)
}

// memberAt returns the field of a struct or interface that c names.
func memberAt(c inspector.Cursor) (inspector.Cursor, bool) {
	named := skip(c, embedding)
	switch named.ParentEdgeKind() {
	case edge.Field_Names, edge.Field_Type:
	default:
		return c, false
	}
	field := named.Parent()
	switch field.Parent().ParentEdgeKind() {
	case edge.StructType_Fields, edge.InterfaceType_Methods:
		return field, true
	}
	return c, false
}

// removeMember leaves a field that cannot be used in the place of one, since empty places do not parse everywhere and a
// literal without keys must not fit by chance.
func (f *File) removeMember(c inspector.Cursor, id *ast.Ident) (Revision, error) {
	field, _ := c.Node().(*ast.Field)
	if c.Parent().ParentEdgeKind() == edge.InterfaceType_Methods {
		return f.revise(id.Name, nil, f.replace(field.Pos(), field.End(), "interface{}"))
	}
	if len(field.Names) < 2 {
		return f.revise(id.Name, nil, f.replace(field.Pos(), field.End(), "_ "+Unfit))
	}
	shared := f.src[f.offsetOf(field.Type.Pos()):f.offsetOf(field.End())]
	edit, err := f.apart(group{field, field.Names, shared, "; "}, id, "_ "+Unfit)
	if err != nil {
		return Revision{}, err
	}
	return f.revise(id.Name, nil, edit)
}

// A group is names that share a type.
type group struct {
	whole     ast.Node
	names     []*ast.Ident
	shared    string // what stands after the names
	separator string // what stands between two declarations
}

// apart declares one of a group on its own: "a, b, c T" becomes "a T; b U; c T".
func (f *File) apart(g group, id *ast.Ident, own string) (Edit, error) {
	if strings.Contains(g.shared, "\n") {
		return Edit{}, &EditError{id.Name, "it shares a type of several lines with other names"}
	}
	at := slices.Index(g.names, id)
	parts := []string{own}
	if at > 0 {
		parts = slices.Insert(parts, 0, joinNames(g.names[:at])+" "+g.shared)
	}
	if at+1 < len(g.names) {
		parts = append(parts, joinNames(g.names[at+1:])+" "+g.shared)
	}
	return f.replace(g.whole.Pos(), g.whole.End(), strings.Join(parts, g.separator)), nil
}

func joinNames(names []*ast.Ident) string {
	var all []string
	for _, name := range names {
		all = append(all, name.Name)
	}
	return strings.Join(all, ", ")
}
