package syntax

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// Declarations lists what the file declares, in its order: functions, methods, types, their members, and the constants
// and variables of the package. Types within a function have its name before theirs: "F.T". The declarations of a large file are parsed
// one by one: the tree of a generated file of some megabytes takes a hundred megabytes.
func (f *File) Declarations() []Decl {
	if all, ok := f.declarationsOfParts(); ok {
		return all
	}
	return f.declarations()
}

// declarationsOfParts is Declarations of a large file; false if the whole file must be parsed.
func (f *File) declarationsOfParts() (all []Decl, ok bool) {
	starts := f.partStarts()
	for i, start := range starts {
		p := parsePart(f, start, f.partEnd(starts, i))
		if p.Broken() != nil {
			return nil, false
		}
		for _, d := range p.declarations() {
			d.At = p.out(d.At)
			all = append(all, d)
		}
	}
	return all, len(starts) > 0
}

func (f *File) declarations() []Decl {
	var all []Decl
	for c := range f.tree().root().Preorder((*ast.FuncDecl)(nil), (*ast.TypeSpec)(nil), (*ast.ValueSpec)(nil), (*ast.Field)(nil)) {
		var names []*ast.Ident
		outer := ""
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			names = []*ast.Ident{n.Name}
		case *ast.TypeSpec:
			names, outer = []*ast.Ident{n.Name}, function(c)
		case *ast.ValueSpec:
			if _, ok := c.Parent().Parent().Node().(*ast.File); ok {
				names = n.Names
			}
		case *ast.Field:
			names, outer = memberOf(c, n)
		}
		for _, name := range names {
			if d, ok := f.Declares(f.position(name.Pos())); ok {
				if outer != "" {
					d.Name = outer + "." + name.Name
				}
				all = append(all, d)
			}
		}
	}
	return all
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

// memberOf returns the names of a field of a struct or methods of an interface, and that of the type; no names for
// parameters and for members of types without a name.
func memberOf(c inspector.Cursor, field *ast.Field) ([]*ast.Ident, string) {
	spec, ok := c.Parent().Parent().Parent().Node().(*ast.TypeSpec)
	if !ok {
		return nil, ""
	}
	if outer := function(c); outer != "" {
		return field.Names, outer + "." + spec.Name.Name
	}
	return field.Names, spec.Name.Name
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
