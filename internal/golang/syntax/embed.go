package syntax

import (
	"go/ast"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MayEmbed reports whether the file embeds a type of a name, of whatever package, or gives it another name.
func (f *File) MayEmbed(name string) bool {
	for c := range f.tree().root.Preorder((*ast.Field)(nil), (*ast.TypeSpec)(nil)) {
		switch n := c.Node().(type) {
		case *ast.Field:
			if kind := fieldKind(c); kind == Embedded && baseName(n.Type) == name {
				return true
			}
		case *ast.TypeSpec:
			if n.Assign.IsValid() && baseName(n.Type) == name {
				return true
			}
		}
	}
	return false
}

// TypeAround returns the innermost type declaration around a position; false outside of any.
func (f *File) TypeAround(at Position) (*TypeDecl, bool) {
	c, ok := f.node(at)
	if !ok {
		return nil, false
	}
	for around := range c.Enclosing((*ast.TypeSpec)(nil)) {
		if spec, ok := around.Node().(*ast.TypeSpec); ok {
			group, _ := around.Parent().Node().(*ast.GenDecl)
			return f.typeDecl(group, spec), true
		}
	}
	return nil, false
}

// Owner returns where the method whose name stands at a position names the type that it belongs to; false if no method is
// declared there.
func (f *File) Owner(at Position) (Position, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return Position{}, false
	}
	decl, ok := c.Parent().Node().(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) == 0 {
		return Position{}, false
	}
	name := baseIdent(decl.Recv.List[0].Type)
	if name == nil {
		return Position{}, false
	}
	return f.position(name.Pos()), true
}

// Niladic returns where a method with a name may be called without arguments, or taken as a value: behind a dot, be it in a
// comment or in a string. The file is not parsed for that.
func (f *File) Niladic(name string) []Position {
	var all []Position
	line := 0
	for from := 0; ; {
		at := strings.Index(f.src[from:], name)
		if at < 0 {
			return all
		}
		at += from
		from = at + len(name)
		if !strings.HasSuffix(strings.TrimRight(f.src[:at], " \t\r\n"), ".") || !niladic(f.src[from:]) {
			continue
		}
		for line+1 < len(f.starts) && f.starts[line+1] <= at {
			line++
		}
		all = append(all, Position{Line: line + 1, Column: at - f.starts[line] + 1})
	}
}

// niladic reports whether what follows a name neither continues it nor calls it with an argument.
func niladic(rest string) bool {
	if r, _ := utf8.DecodeRuneInString(rest); r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
		return false
	}
	arguments, called := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "(")
	return !called || strings.HasPrefix(strings.TrimLeft(arguments, " \t\r\n"), ")")
}

// MayDeclare reports whether the file may declare a name, as its text looks. The file is not parsed for that.
func (f *File) MayDeclare(name string) bool {
	for from := 0; ; {
		at := strings.Index(f.src[from:], name)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(name)
		before := strings.TrimLeft(f.src[strings.LastIndexByte(f.src[:at], '\n')+1:at], " \t")
		if declaring(before) {
			return true
		}
	}
}

// declaring reports whether what stands before a name on its line may begin a declaration of it: a keyword, a receiver, other
// names, or nothing in a group, a struct or an interface.
func declaring(before string) bool {
	switch before {
	case "", "func ", "type ", "var ", "const ":
		return true
	}
	return strings.HasPrefix(before, "func (") && strings.HasSuffix(before, ") ") || strings.HasSuffix(before, ", ") ||
		strings.HasSuffix(before, "{ ") || strings.HasSuffix(before, "; ")
}
