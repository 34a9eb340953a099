package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

// A Constant is one name of a constant declaration.
type Constant struct {
	Name    string
	Value   string   // as written; implied repetitions are written out: "iota", "1 << iota"
	Iota    int      // the value of iota there
	Type    Position // the identifier that gives its type, in T = … or … = T(…), repeated or not; zero without one
	Of      string   // that identifier
	Doc     string
	Comment string
	At      Position
}

// Constants returns the package-level constants of the file in order, blank ones left out.
func (f *File) Constants() []Constant {
	mayHave := func(text string) bool { return strings.Contains(text, "const") }
	return collect(f, mayHave, func(t *tree) (all []Constant) {
		for _, decl := range t.syntax.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				all = append(all, f.constants(group)...)
			}
		}
		return all
	})
}

func (f *File) constants(group *ast.GenDecl) []Constant {
	var all []Constant
	var typ ast.Expr
	var values []ast.Expr
	for i, s := range group.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if spec.Type != nil || len(spec.Values) > 0 {
			typ, values = spec.Type, spec.Values
		}
		for j, name := range spec.Names {
			if name.Name == "_" {
				continue
			}
			c := Constant{Name: name.Name, Iota: i, Doc: docOf(group, spec.Doc),
				Comment: spec.Comment.Text(), At: f.position(name.Pos())}
			if j < len(values) {
				c.Value = types.ExprString(values[j])
				c.Of, c.Type = f.constantType(typ, values[j])
			}
			all = append(all, c)
		}
	}
	return all
}

// docOf returns the comment of one declaration in a group; outside of parentheses it stands before the group.
func docOf(group *ast.GenDecl, own *ast.CommentGroup) string {
	if group != nil && !group.Lparen.IsValid() {
		return group.Doc.Text()
	}
	return own.Text()
}

func (f *File) constantType(typ, value ast.Expr) (string, Position) {
	if call, ok := ast.Unparen(value).(*ast.CallExpr); typ == nil && ok {
		typ = call.Fun
	}
	if id := baseIdent(typ); id != nil {
		return id.Name, f.position(id.Pos())
	}
	return "", Position{}
}

// A Function is a function or method declaration.
type Function struct {
	Name    string   // "F" or "T.M"
	Params  []string // one type per parameter: "context.Context", "...string"
	Results []string // one type per result
	Pointer bool     // a method: the receiver is a pointer
	Doc     string
	At      Position // of the name
}

// ResultOf returns the function declaration among whose results the identifier at a position stands, and the text of
// that result's type: "*T", "[]T", "func() T".
func (f *File) ResultOf(at Position) (fn Function, result string, ok bool) {
	c, ok := f.identifier(at)
	if !ok {
		return Function{}, "", false
	}
	for field := range c.Enclosing((*ast.Field)(nil)) {
		decl, isFunc := field.Parent().Parent().Parent().Node().(*ast.FuncDecl)
		if n, isField := field.Node().(*ast.Field); isFunc && isField && field.Parent().ParentEdgeKind() == edge.FuncType_Results {
			return f.function(decl), types.ExprString(n.Type), true
		}
	}
	return Function{}, "", false
}

// Methods returns the methods the file declares on the type called name, in order. The file is parsed only if its text looks as if
// there were any; of a large file, those declarations are.
func (f *File) Methods(name string) []Function {
	mayHave := func(text string) bool { return mayReceive(text, name) }
	if !mayHave(f.src) {
		return nil
	}
	return collect(f, mayHave, func(t *tree) (all []Function) {
		for _, decl := range t.syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv != nil && len(fn.Recv.List) > 0 && baseName(fn.Recv.List[0].Type) == name {
				all = append(all, f.function(fn))
			}
		}
		return all
	})
}

// mayReceive reports whether a text has a method of a type called name: "func", where a declaration may begin, and the name in the
// parentheses behind it.
func mayReceive(src, name string) bool {
	for from := 0; ; {
		at := strings.Index(src[from:], "func")
		if at < 0 {
			return false
		}
		before := strings.TrimRight(src[:from+at], " \t\r")
		from += at + len("func")
		receiver, ok := strings.CutPrefix(strings.TrimLeft(src[from:], " \t\r\n"), "(")
		if !ok || before != "" && strings.IndexByte("\n;}/", before[len(before)-1]) < 0 {
			continue
		}
		if receiver, _, _ = strings.Cut(receiver, ")"); strings.Contains(receiver, name) || strings.ContainsAny(receiver, "(/") {
			return true
		}
	}
}

func (f *File) function(decl *ast.FuncDecl) Function {
	fn := Function{
		Name: FuncName(decl), Params: flatten(decl.Type.Params), Results: flatten(decl.Type.Results),
		Doc: decl.Doc.Text(), At: f.position(decl.Name.Pos()),
	}
	if decl.Recv != nil && len(decl.Recv.List) > 0 {
		_, fn.Pointer = ast.Unparen(decl.Recv.List[0].Type).(*ast.StarExpr)
	}
	return fn
}

func flatten(list *ast.FieldList) []string {
	var all []string
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		text := types.ExprString(field.Type)
		for range max(1, len(field.Names)) {
			all = append(all, text)
		}
	}
	return all
}
