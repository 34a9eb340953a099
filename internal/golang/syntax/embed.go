package syntax

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MayEmbed reports whether the file embeds a type of a name, of whatever package, or gives it another name.
func (f *File) MayEmbed(name string) bool {
	named := func(text string) bool { return strings.Contains(text, name) }
	return named(f.src) && len(collect(f, named, func(t *tree) (at []token.Pos) {
		for c := range t.root().Preorder((*ast.Field)(nil), (*ast.TypeSpec)(nil)) {
			switch n := c.Node().(type) {
			case *ast.Field:
				if kind := fieldKind(c); kind == Embedded && baseName(n.Type) == name {
					at = append(at, n.Pos())
				}
			case *ast.TypeSpec:
				if n.Assign.IsValid() && baseName(n.Type) == name {
					at = append(at, n.Pos())
				}
			}
		}
		return at
	})) > 0
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
	return slices.DeleteFunc(f.Selected(name), func(at Position) bool { return !f.IsNiladic(at, name) })
}

// IsNiladic reports whether neither parameters nor arguments stand behind a name at a position.
func (f *File) IsNiladic(at Position, name string) bool {
	return niladic(f.src[f.offset(at)+len(name):])
}

// Selected returns where a name stands behind a dot, be it in a comment or in a string. The file is not parsed for that.
func (f *File) Selected(name string) []Position {
	return slices.DeleteFunc(f.words(name), func(at Position) bool {
		return !strings.HasSuffix(strings.TrimRight(f.src[:f.offset(at)], " \t\r\n"), ".")
	})
}

// MayMake reports whether the file may embed a type of a name, define another type by it or give it another name, as its text
// looks. The file is not parsed for that.
func (f *File) MayMake(name string) bool {
	grouped := f.groupsTypes()
	return slices.ContainsFunc(f.words(name), func(at Position) bool {
		before := strings.TrimLeft(f.before(at), " \t")
		behind := strings.TrimSpace(f.src[f.offset(at)+len(name) : f.lineEnd(at.Line)])
		switch {
		case strings.HasPrefix(before, "//"):
			return false
		case strings.TrimRight(before, " \t") == "type":
			line, _, _ := strings.Cut(behind, "{")
			return strings.Contains(line, "=") // it is another name itself
		case before == "" && grouped && strings.HasPrefix(behind, "="):
			return true // so it is here
		}
		return mayEndType(behind) && mayMake(before, grouped)
	})
}

// MayMakeAt reports whether the type whose name stands at a position may be embedded there, or another one be made of it, as the text of the
// line looks.
func (f *File) MayMakeAt(at Position) bool {
	if !f.has(at) {
		return false
	}
	line := f.src[f.offset(at):f.lineEnd(at.Line)]
	behind := strings.TrimSpace(strings.TrimLeftFunc(line, inName))
	return mayEndType(behind) && mayMake(strings.TrimLeft(f.before(at), " \t"), f.groupsTypes())
}

// groupsTypes reports whether the file may declare types in a group.
func (f *File) groupsTypes() bool {
	f.groups.once.Do(func() { f.groups.set = strings.Contains(f.src, "type (") || strings.Contains(f.src, "type(") })
	return f.groups.set
}

// mayEndType reports whether a type that is embedded, or that another one is made of, may end before a text on its line.
func mayEndType(behind string) bool {
	return behind == "" || strings.ContainsRune("[`\"/;})", rune(behind[0]))
}

// mayMake reports whether a type whose name stands behind a text on its line may be embedded there, or a type be made of it. grouped
// says that the file has groups of type declarations.
func mayMake(before string, grouped bool) bool {
	declared := strings.Contains(before, "type ") || strings.Contains(before, "type\t")
	if qualified, ok := strings.CutSuffix(before, "."); ok {
		before = strings.TrimRightFunc(qualified, inName)
	}
	pointer := strings.HasSuffix(before, "*")
	before = strings.TrimRight(before, "* \t")
	switch {
	case before == "", strings.HasSuffix(before, "{"), strings.HasSuffix(before, ";"), strings.HasSuffix(before, "/"):
		return true
	case !declared && !grouped, strings.HasSuffix(before, "[]"):
		return false
	case pointer: // which has no methods, unless it is an alias
		return strings.HasSuffix(before, "=") || strings.HasSuffix(before, "(")
	}
	return declared || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "]") || !strings.ContainsFunc(before, func(r rune) bool { return !inName(r) })
}

// words returns where a name stands as a whole word.
func (f *File) words(name string) []Position {
	var all []Position
	line := 0
	for from := 0; name != ""; {
		at := strings.Index(f.src[from:], name)
		if at < 0 {
			break
		}
		at += from
		from = at + len(name)
		before, _ := utf8.DecodeLastRuneInString(f.src[:at])
		behind, _ := utf8.DecodeRuneInString(f.src[from:])
		if inName(before) || inName(behind) {
			continue
		}
		for line+1 < len(f.starts) && f.starts[line+1] <= at {
			line++
		}
		all = append(all, Position{Line: line + 1, Column: at - f.starts[line] + 1})
	}
	return all
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// offset converts a position that is in the file.
func (f *File) offset(at Position) int { return f.starts[at.Line-1] + at.Column - 1 }

// has reports whether a position is in the file, on its line.
func (f *File) has(at Position) bool {
	return at.Line >= 1 && at.Line <= len(f.starts) && at.Column >= 1 && f.offset(at) <= f.lineEnd(at.Line)
}

// before returns what stands before a position on its line.
func (f *File) before(at Position) string { return f.src[f.starts[at.Line-1]:f.offset(at)] }

// niladic reports whether what follows a name neither continues it nor calls it with an argument.
func niladic(rest string) bool {
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
