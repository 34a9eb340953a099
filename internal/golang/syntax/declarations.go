package syntax

import (
	"go/ast"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Declarations lists what the file declares, in its order: functions, methods, types, their members, and the constants
// and variables of the package. Types within a function have its name before theirs: "F.T". The list must not be changed. It is kept with
// the file: to make it takes as long as parsing, and it has half of the size of the text or less.
func (f *File) Declarations() []Decl {
	if all := f.declared.Load(); all != nil {
		return *all
	}
	all := slices.Clip(collect(f, anything, f.declarations))
	f.declared.Store(&all)
	return all
}

// listedWhole is up to which size, in bytes, all declarations of a file are listed where those of one name are asked for, so that the
// next name costs nothing.
const listedWhole = 64 << 10

// DeclarationsNamed lists those that have a name, whatever stands before it, and maybe others. Of a large file only what mentions the
// name is parsed: to list a generated file of 6 MB makes 170 MB of garbage.
func (f *File) DeclarationsNamed(name string) []Decl {
	if f.declared.Load() != nil || len(f.src) <= listedWhole {
		return f.Declarations()
	}
	return collect(f, func(text string) bool { return strings.Contains(text, name) }, f.declarations)
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
		if of, ok := f.receiverByText(at, name); method && ok {
			all[of] = at
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

// receiverByText returns the type of the method whose name stands at a position, if the text of a large file says so without being parsed: the
// line begins a declaration, and the type has no parameters.
func (f *File) receiverByText(at Position, name string) (string, bool) {
	line := f.starts[at.Line-1]
	start, _, ok := f.partAt(line)
	if !ok || !onlyLineComments(f.src[start:line]) || !strings.HasPrefix(f.src[f.offset(at)+len(name):], "(") {
		return "", false
	}
	_, typ, _, ok := cutReceiver(f.src[line:])
	return strings.Clone(typ), ok // a part of the text would keep all of it
}

// ReceiverOperand returns the type of x in the x.M whose M stands at a position, if x is the receiver of the method around it and the text of
// a large file says so without being parsed: between the two x stands nowhere but before a dot, so that nothing declares it again. The place
// may be in a comment or a string.
func (f *File) ReceiverOperand(at Position) (typ string, ok bool) {
	offset := f.offset(at)
	start, _, ok := f.partAt(offset)
	if !ok || offset-start < len("func (x T) M() { x.") || f.src[offset-1] != '.' {
		return "", false
	}
	text := f.src[start : offset-1]
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	variable, typ, rest, isMethod := cutReceiver(text)
	before, ends := strings.CutSuffix(rest, variable)
	if last, _ := utf8.DecodeLastRuneInString(before); !isMethod || !ends || variable == "_" || last == '.' || inName(last) {
		return "", false
	}
	if !onlySelected(before, variable) {
		return "", false
	}
	return strings.Clone(typ), true
}

// onlySelected reports whether a name stands in a text nowhere but before a dot.
func onlySelected(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return true
		}
		ahead, _ := utf8.DecodeLastRuneInString(text[:from+i])
		from += i + len(name)
		behind, _ := utf8.DecodeRuneInString(text[from:])
		if !inName(ahead) && !inName(behind) && behind != '.' {
			return false
		}
	}
}

// cutReceiver cuts the receiver off a method's declaration: one of a type without parameters, in the usual way of writing. A receiver
// without a name is called _.
func cutReceiver(declaration string) (variable, typ, rest string, ok bool) {
	declaration, ok = strings.CutPrefix(declaration, "func (")
	receiver, rest, closed := strings.Cut(declaration, ") ")
	if !ok || !closed {
		return "", "", "", false
	}
	variable, typ, two := strings.Cut(receiver, " ")
	if !two {
		variable, typ = "_", receiver
	}
	typ = strings.TrimPrefix(typ, "*")
	if !isName(variable) || !isName(typ) {
		return "", "", "", false
	}
	return variable, typ, rest, true
}

func onlyLineComments(text string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "//") {
			return false
		}
	}
	return true
}

func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !inName(r) })
}
