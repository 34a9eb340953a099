package syntax

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Declarations lists what the file declares, in its order: functions, methods, types, their members, and the constants
// and variables of the package. Types within a function have its name before theirs: "F.T".
func (f *File) Declarations() []Decl {
	return collect(f, anything, f.declarations)
}

func anything(string) bool { return true }

func (f *File) declarations(t *tree) []Decl {
	var all []Decl
	for c := range t.root().Preorder((*ast.Ident)(nil)) {
		outer, ok := listed(c)
		if !ok {
			continue
		}
		if d, ok := f.declaration(c); ok {
			if id, isName := c.Node().(*ast.Ident); isName && outer != "" {
				d.Name = outer + "." + id.Name
			}
			all = append(all, d)
		}
	}
	return all
}

// listed reports whether c is a name that the file declares, and no local one, and what stands before it in the list if that is not
// what declares it alone.
func listed(c inspector.Cursor) (outer string, ok bool) {
	switch c.ParentEdgeKind() {
	case edge.FuncDecl_Name:
		return "", true
	case edge.TypeSpec_Name:
		return function(c), true
	case edge.ValueSpec_Names:
		_, ok := c.Parent().Parent().Parent().Node().(*ast.File)
		return "", ok
	case edge.Field_Names:
		outer := memberOf(c.Parent())
		return outer, outer != ""
	}
	return "", false
}

// function names the function that a cursor is in, "" outside of any.
func function(c inspector.Cursor) string {
	for outer := range c.Enclosing((*ast.FuncDecl)(nil)) {
		if decl, ok := outer.Node().(*ast.FuncDecl); ok {
			return FuncName(decl)
		}
	}
	return ""
}

// memberOf names the type that a field of a struct or a method of an interface belongs to; "" for parameters and for members of types
// without a name.
func memberOf(field inspector.Cursor) string {
	spec, ok := field.Parent().Parent().Parent().Node().(*ast.TypeSpec)
	if !ok {
		return ""
	}
	if outer := function(field); outer != "" {
		return outer + "." + spec.Name.Name
	}
	return spec.Name.Name
}

// FuncsNamed returns where the package's functions of a name are declared in the usual way of writing.
func (f *File) FuncsNamed(name string) []Position { return f.declaredAs(name, "func ", SortFunction) }

// TypesNamed returns where types of a name are declared in the usual way of writing, those in groups left out.
func (f *File) TypesNamed(name string) []Position { return f.declaredAs(name, "type ", SortType) }

func (f *File) declaredAs(name, before string, sort Sort) []Position {
	var all []Position
	for _, at := range f.words(name) {
		if f.before(at) != before {
			continue
		}
		if d, ok := f.Declares(at); ok && d.Sort == sort {
			all = append(all, at)
		}
	}
	return all
}

// MethodsNamed returns where methods of a name are declared in the usual way of writing, by the names of their types; those of
// interfaces that the package declares, too.
func (f *File) MethodsNamed(name string) map[string]Position {
	all := make(map[string]Position)
	for _, at := range f.words(name) {
		before := f.before(at)
		method := strings.HasPrefix(before, "func (") && strings.HasSuffix(before, ") ")
		if !method && (strings.TrimSpace(before) != "" || !strings.HasPrefix(f.src[f.offset(at)+len(name):], "(")) {
			continue
		}
		d, ok := f.Declares(at)
		ok = ok && (d.Sort == SortMethod || d.Sort == SortInterfaceMethod)
		of := strings.TrimSuffix(d.Name, "."+name)
		if ok && d.Sort == SortInterfaceMethod {
			of, ok = f.InterfaceOf(at)
			ok = ok && of+"."+name == d.Name // it is that of the declaration, and not one within it
		}
		if ok {
			all[of] = at
		}
	}
	return all
}
