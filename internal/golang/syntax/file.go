package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"tidepool/internal/filecache"
)

// A Position is a place in a file; the zero value is no place.
type Position struct{ Line, Column int }

// A File is one Go file. It never changes, and is safe for concurrent use. It is parsed at the first question that needs all of
// it, and again if [Files] has dropped its tree since; of a large file, questions about a place need only the declaration around it.
type File struct {
	*Scope

	src    string
	base   int       // the position of the first byte in the file's trees
	starts []int     // of the lines in src
	head   *ast.File // up to its imports, with positions of its own
	parts  parts

	bound *filecache.Bound // of how many trees are kept; nil: this one is, for good
	kept  filecache.Derived[*tree]

	declared atomic.Pointer[[]Decl] // nil until Declarations lists them
	builds   flag                   // see built
	groups   flag                   // see groupsTypes
}

// A flag is something about a file that is looked for once.
type flag struct {
	once sync.Once
	set  bool
}

// Parse returns the file with the text src; path is only carried along.
func Parse(path string, src []byte) *File { return newFile(1, path, string(src)) }

// newFile gives the file's tokens the positions from base on.
func newFile(base int, path, src string) *File {
	f := &File{src: src, base: base}
	f.starts = lineStarts(f.src)
	text := unsafe.Slice(unsafe.StringData(src), len(src))                                                // the parser would copy a string, and does not write
	f.head, _ = parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly|parser.ParseComments) // Broken has the errors
	f.Scope = &Scope{Path: path, imports: f.head.Imports}
	if f.head.Name != nil {
		f.Package = f.head.Name.Name
	}
	return f
}

func lineStarts(src string) []int {
	starts := make([]int, 1, 1+strings.Count(src, "\n"))
	for i := 0; ; {
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// Broken returns the syntax errors of the file, nil if there are none.
func (f *File) Broken() error { return f.tree().broken }

// Generated reports whether the file says that a program has written it.
func (f *File) Generated() bool { return ast.IsGenerated(f.head) }

// Syntax returns the file's syntax tree, which must not be changed, and the lines that its positions stand for. Files from one
// [Files] share no positions, so that they can be type-checked together.
func (f *File) Syntax() (*ast.File, *token.File) { return f.tree().syntax, f.tree().tokens }

// Position converts a position in the file's syntax tree.
func (f *File) Position(pos token.Pos) Position { return f.position(pos) }

// Lines returns how many lines the file has.
func (f *File) Lines() int { return len(f.starts) }

// Line returns line n without its end, "" outside the file.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.starts) {
		return ""
	}
	line, _, _ := strings.Cut(f.src[f.starts[n-1]:f.lineEnd(n)], "\n")
	return strings.TrimSuffix(line, "\r")
}

func (f *File) lineEnd(n int) int {
	if n >= len(f.starts) {
		return len(f.src)
	}
	return f.starts[n]
}

// node returns the innermost node that covers at.
func (f *File) node(at Position) (inspector.Cursor, bool) {
	if !f.has(at) {
		return inspector.Cursor{}, false
	}
	pos := token.Pos(f.base + f.offset(at))
	return f.treeAround(at).root().FindByPos(pos, pos)
}

// identifier returns the identifier, or the string of an import, that covers at.
func (f *File) identifier(at Position) (inspector.Cursor, bool) {
	c, ok := f.node(at)
	if !ok {
		return c, false
	}
	switch c.Node().(type) {
	case *ast.Ident, *ast.BasicLit:
		return c, true
	}
	return c, false
}

// position converts a position in one of the file's trees; [token.NoPos] is no place.
func (f *File) position(pos token.Pos) Position {
	if !pos.IsValid() {
		return Position{}
	}
	offset := f.offsetOf(pos)
	line := sort.SearchInts(f.starts, offset+1)
	return Position{line, offset - f.starts[line-1] + 1}
}

// offsetOf returns where a position in one of the file's trees is in its text: at the end, if a node of a broken file ends behind it.
func (f *File) offsetOf(pos token.Pos) int { return min(max(int(pos)-f.base, 0), len(f.src)) }

func (f *File) text(n ast.Node) string { return f.src[f.offsetOf(n.Pos()):f.offsetOf(n.End())] }

// enclosing names the top-level declaration around c: "F", "T.M", the first name of a var, const or type declaration,
// "" outside of any.
func enclosing(c inspector.Cursor) string {
	var name string
	for outer := c; outer.ParentEdgeKind() != edge.Invalid; outer = outer.Parent() {
		switch n := outer.Node().(type) {
		case *ast.FuncDecl:
			name = FuncName(n)
		case *ast.TypeSpec:
			name = n.Name.Name
		case *ast.ValueSpec:
			name = n.Names[0].Name
		}
	}
	return name
}

// Unnamed stands for the name of an interface that has none.
const Unnamed = "interface{…}"

// InterfaceOf returns the name of the interface that declares the method whose name stands at a position, or [Unnamed]; false if no method of an interface does.
func (f *File) InterfaceOf(at Position) (string, bool) {
	c, ok := f.identifier(at)
	if !ok || c.ParentEdgeKind() != edge.Field_Names {
		return "", false
	}
	list := c.Parent().Parent()
	if list.ParentEdgeKind() != edge.InterfaceType_Methods {
		return "", false
	}
	spec, ok := list.Parent().Parent().Node().(*ast.TypeSpec)
	if !ok || list.Parent().ParentEdgeKind() != edge.TypeSpec_Type {
		return Unnamed, true
	}
	return spec.Name.Name, true
}

// FuncName writes a function as "F" and a method as "T.M", whatever the receiver's pointers and type parameters.
func FuncName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	return baseName(decl.Recv.List[0].Type) + "." + decl.Name.Name
}

// baseName returns the name below the pointers, parentheses, packages and type arguments of a type expression.
func baseName(expr ast.Expr) string {
	if id := baseIdent(expr); id != nil {
		return id.Name
	}
	return ""
}

func baseIdent(expr ast.Expr) *ast.Ident {
	switch e := expr.(type) {
	case *ast.Ident:
		return e
	case *ast.StarExpr:
		return baseIdent(e.X)
	case *ast.ParenExpr:
		return baseIdent(e.X)
	case *ast.IndexExpr:
		return baseIdent(e.X)
	case *ast.IndexListExpr:
		return baseIdent(e.X)
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}
