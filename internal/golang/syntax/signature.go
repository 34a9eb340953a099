package syntax

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// An Item is a parameter or a result.
type Item struct {
	Name string // "": it has none
	Type string // as it is written: "...int" of a variadic one
}

func (i Item) String() string { return strings.TrimSpace(i.Name + " " + i.Type) }

// A Signature is what a function takes and returns, each parameter with a type of its own.
type Signature struct{ Params, Results []Item }

// String is "func(a int, b int) (int, error)".
func (s Signature) String() string {
	text := "func(" + joinItems(s.Params) + ")"
	switch {
	case len(s.Results) == 0:
		return text
	case len(s.Results) == 1 && s.Results[0].Name == "":
		return text + " " + s.Results[0].Type
	}
	return text + " (" + joinItems(s.Results) + ")"
}

func joinItems(items []Item) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = item.String()
	}
	return strings.Join(all, ", ")
}

// SignatureOf returns the signature of what is declared at a place, and fails if that has none of its own.
func (f *File) SignatureOf(at Position) (Signature, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Signature{}, err
	}
	signatures := signaturesOf(c)
	if len(signatures) == 0 {
		return Signature{}, &EditError{id.Name, "it is not declared with parameters of its own"}
	}
	return Signature{f.items(signatures[0].Params), f.items(signatures[0].Results)}, nil
}

func (f *File) items(list *ast.FieldList) []Item {
	if list == nil {
		return nil
	}
	var all []Item
	for _, field := range list.List {
		typ := strings.Join(strings.Fields(f.text(field.Type)), " ")
		for _, name := range field.Names {
			all = append(all, Item{name.Name, typ})
		}
		if len(field.Names) == 0 {
			all = append(all, Item{"", typ})
		}
	}
	return all
}

// Receiver returns the type of the receiver of the method declared at a place, as it is written; "" if it is no method.
func (f *File) Receiver(at Position) string {
	c, _, err := f.named(at)
	if err != nil {
		return ""
	}
	if t := receiverOf(c); t != nil {
		return f.text(t)
	}
	return ""
}

func receiverOf(c inspector.Cursor) ast.Expr {
	fn, ok := c.Parent().Node().(*ast.FuncDecl)
	if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
		return nil
	}
	return fn.Recv.List[0].Type
}

// ChangeReceiver makes a method of a type one of the pointer to it, or the other way round. Errors in its own body are its
// own.
func (f *File) ChangeReceiver(at Position) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	t := receiverOf(c)
	if t == nil {
		return Revision{}, &EditError{id.Name, "it has no receiver"}
	}
	if star, ok := t.(*ast.StarExpr); ok {
		return f.revise(id.Name, bodyOf(c), f.replace(star.Pos(), star.X.Pos(), ""))
	}
	return f.revise(id.Name, bodyOf(c), f.insert(t.Pos(), "*"))
}

// AddTypeParameters gives the function or type declared at a place type parameters, written with their brackets. Errors in
// its own body are its own.
func (f *File) AddTypeParameters(at Position, list string) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	already := false
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		if n.Recv != nil {
			return Revision{}, &EditError{id.Name, "a method has no type parameters of its own"}
		}
		already = n.Type.TypeParams != nil
	case *ast.TypeSpec:
		already = n.TypeParams != nil
	default:
		return Revision{}, &EditError{id.Name, "it takes no type parameters"}
	}
	if already {
		return Revision{}, &EditError{id.Name, "it has type parameters already"}
	}
	return f.revise(id.Name, bodyOf(c), f.insert(id.End(), list))
}
