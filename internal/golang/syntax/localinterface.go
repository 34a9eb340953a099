package syntax

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// LocalInterfaces returns where interfaces that have no name of their own in the package declare a method of a name: literals, be
// it that an alias stands for them, and types that a function declares. A file is parsed only if its text looks like that.
func (f *File) LocalInterfaces(method string) []Position {
	if !f.MayAskFor(method) {
		return nil
	}
	mayHave := func(text string) bool { return strings.Contains(text, "interface") && strings.Contains(text, method) }
	return collect(f, mayHave, func(t *tree) (all []Position) {
		for c := range t.root().Preorder((*ast.InterfaceType)(nil)) {
			t, ok := c.Node().(*ast.InterfaceType)
			if !ok || ofPackage(c) {
				continue
			}
			for _, m := range t.Methods.List {
				for _, id := range m.Names {
					if id.Name == method {
						all = append(all, f.position(id.Pos()))
					}
				}
			}
		}
		return all
	})
}

// MayHaveUnnamedInterface reports whether the text may have an interface that [File.LocalInterfaces] looks into: one that is not empty, and
// not all of a type's declaration at the beginning of a line.
func (f *File) MayHaveUnnamedInterface() bool {
	for from := 0; ; {
		n := strings.Index(f.src[from:], "interface")
		if n < 0 {
			return false
		}
		at := from + n
		from = at + len("interface")
		rest := strings.TrimLeft(f.src[from:], " \t\r\n")
		switch {
		case strings.HasPrefix(rest, "/"): // a comment before the brace
			return true
		case !strings.HasPrefix(rest, "{") || strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), "}"):
		case !isTypeHead(f.src[strings.LastIndexByte(f.src[:at], '\n')+1 : at]):
			return true
		}
	}
}

// isTypeHead reports whether a line so far declares a type without parameters: "type T ".
func isTypeHead(line string) bool {
	fields := strings.Fields(line)
	return len(fields) == 2 && fields[0] == "type" && line[0] == 't' && token.IsIdentifier(fields[1])
}

// ofPackage reports whether a type is that of a declaration of the package, and no alias.
func ofPackage(c inspector.Cursor) bool {
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	if !ok || c.ParentEdgeKind() != edge.TypeSpec_Type || spec.Assign.IsValid() {
		return false
	}
	return c.Parent().Parent().ParentEdgeKind() == edge.File_Decls
}

// MayAskFor reports whether the text has an interface, and a method's name before a parenthesis and behind what may precede it there: a
// brace, a semicolon, the end of a line or of a comment.
func (f *File) MayAskFor(method string) bool {
	if !strings.Contains(f.src, "interface") {
		return false
	}
	for rest := f.src; ; {
		before, after, found := strings.Cut(rest, method)
		if !found {
			return false
		}
		if strings.HasPrefix(strings.TrimLeft(after, " \t"), "(") {
			bare := strings.TrimRight(before, " \t")
			if bare != "" && strings.IndexByte("\n{;/", bare[len(bare)-1]) >= 0 { // behind another token, it is no element of an interface
				return true
			}
		}
		rest = after
	}
}
