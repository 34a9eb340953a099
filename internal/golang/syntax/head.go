package syntax

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// Head returns where the part of a declaration stands that says what it is, in bytes: of a function all before its body, of
// a field its name and type, of a struct or interface all before its members.
func (f *File) Head(at Position) (start, end int, ok bool) {
	c, _, err := f.named(at)
	if err != nil {
		return 0, 0, false
	}
	from, to := headOf(c)
	if !from.IsValid() || !to.IsValid() {
		return 0, 0, false
	}
	return f.offsetOf(from), f.offsetOf(to), true
}

func headOf(c inspector.Cursor) (from, to token.Pos) {
	if field, ok := memberAt(c); ok {
		n, _ := field.Node().(*ast.Field)
		return n.Pos(), n.Type.End()
	}
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		return n.Pos(), n.Type.End()
	case *ast.TypeSpec:
		switch t := n.Type.(type) {
		case *ast.StructType:
			return n.Pos(), t.Fields.Opening
		case *ast.InterfaceType:
			return n.Pos(), t.Methods.Opening
		}
		return n.Pos(), n.End()
	case *ast.ValueSpec:
		return n.Pos(), n.End()
	}
	return token.NoPos, token.NoPos
}

// Keyword returns what the declaration at a place begins with where its head does not say it: "type", "const", "var"; "" of
// functions and members.
func (f *File) Keyword(at Position) string {
	c, _, err := f.named(at)
	if err != nil {
		return ""
	}
	switch c.Parent().Node().(type) {
	case *ast.TypeSpec, *ast.ValueSpec:
		if decl, ok := c.Parent().Parent().Node().(*ast.GenDecl); ok {
			return decl.Tok.String()
		}
	}
	return ""
}

// Between returns the text of the file between two offsets, after edits of it, on one line. Edits that reach beyond are left
// out.
func (f *File) Between(start, end int, edits []Edit) string {
	var inside []Edit
	for _, e := range edits {
		if e.Start >= start && e.End <= end {
			inside = append(inside, Edit{e.Start - start, e.End - start, e.New})
		}
	}
	return strings.Join(strings.Fields(Apply(f.src[start:end], inside)), " ")
}

// AddField gives the struct declared at a place one more field, behind the others.
func (f *File) AddField(at Position, field string) (Revision, error) {
	spec, id, err := f.typeNamed(at)
	if err != nil {
		return Revision{}, err
	}
	t, ok := spec.Type.(*ast.StructType)
	if !ok {
		return Revision{}, &EditError{id.Name, "it is not declared as a struct"}
	}
	text := " " + field + " "
	if all := t.Fields.List; len(all) > 0 && f.position(all[len(all)-1].End()).Line == f.position(t.Fields.Closing).Line {
		text = ";" + text
	}
	return f.revise(id.Name, nil, f.insert(t.Fields.Closing, text))
}

// AddMethodTo gives the type declared at a place a method, written as an interface would, at the end of the file.
func (f *File) AddMethodTo(at Position, method string) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	if !ok || f.Local(at) {
		return Revision{}, &EditError{id.Name, "it is not a type that may have methods"}
	}
	receiver := id.Name
	if list := spec.TypeParams; list != nil {
		receiver += "[" + strings.Join(slices.Repeat([]string{"_"}, list.NumFields()), ", ") + "]"
	}
	text := "func (" + receiver + ") " + method + " { panic(0) }"
	if !strings.HasSuffix(f.src, "\n") {
		text = "\n" + text // behind what may be a comment
	}
	return f.revise(id.Name, nil, Edit{len(f.src), len(f.src), text})
}
