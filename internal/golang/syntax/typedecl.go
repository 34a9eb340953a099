package syntax

import (
	"go/ast"
	"go/parser"
	"go/types"
	"strconv"
)

// Form is what a type is made as.
type Form string

// The forms of types. Named is a type defined by, or an alias of, another type's name.
const (
	Struct    Form = "struct"
	Interface Form = "interface"
	Func      Form = "function type"
	Map       Form = "map"
	Slice     Form = "slice"
	Array     Form = "array"
	Chan      Form = "channel"
	Pointer   Form = "pointer"
	Named     Form = "named type"
)

// A TypeDecl is a type declaration.
type TypeDecl struct {
	Name       string
	Params     []string // names of the type parameters
	Form       Form
	Alias      bool
	Underlying string   // what stands right of the name, in one line
	Target     Position // Named, Pointer: the identifier to follow; zero for predeclared types such as int
	TargetArgs []string // Named, Pointer: its type arguments
	Doc        string
	Raw        string // the declaration as written, without its doc comment
	At         Position
	Members    []Member // Struct: fields; Interface: methods and embedded types
}

// A Member is a field of a struct, a method of an interface, or what either embeds.
type Member struct {
	Name     string // embedded: the type's name
	Type     string // in one line; a method's is its signature: "func(x int) error"
	Tag      string // without the quotes
	Doc      string // the comment above
	Comment  string // the comment on its line
	Embedded bool
	At       Position // of the name
	Target   Position // Embedded: the identifier to follow
	Args     []string // Embedded: its type arguments
}

// Type returns the declaration of the type whose name stands at a position.
func (f *File) Type(at Position) (*TypeDecl, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return nil, false
	}
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	if !ok || spec.Name != c.Node() {
		return nil, false
	}
	group, _ := c.Parent().Parent().Node().(*ast.GenDecl)
	return f.typeDecl(group, spec), true
}

func (f *File) typeDecl(group *ast.GenDecl, spec *ast.TypeSpec) *TypeDecl {
	d := &TypeDecl{
		Name: spec.Name.Name, Params: paramNames(spec.TypeParams), Alias: spec.Assign.IsValid(),
		Underlying: types.ExprString(spec.Type), Doc: docOf(group, spec.Doc), Raw: "type " + f.text(spec), At: f.position(spec.Name.Pos()),
	}
	d.Form = formOf(spec.Type)
	switch t := ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		d.Members = f.members(t.Fields)
	case *ast.InterfaceType:
		d.Members = f.members(t.Methods)
	}
	if d.Form == Pointer || d.Form == Named {
		expr := ast.Unparen(spec.Type)
		d.Target, d.TargetArgs = f.target(expr), typeArgs(expr)
	}
	return d
}

// formOf returns the form of the type that stands right of a name.
func formOf(expr ast.Expr) Form {
	switch t := ast.Unparen(expr).(type) {
	case *ast.StructType:
		return Struct
	case *ast.InterfaceType:
		return Interface
	case *ast.FuncType:
		return Func
	case *ast.MapType:
		return Map
	case *ast.ArrayType:
		if t.Len != nil {
			return Array
		}
		return Slice
	case *ast.ChanType:
		return Chan
	case *ast.StarExpr:
		return Pointer
	}
	return Named
}

func paramNames(list *ast.FieldList) []string {
	var names []string
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

func (f *File) members(list *ast.FieldList) []Member {
	var all []Member
	for _, field := range list.List {
		m := Member{Type: types.ExprString(field.Type), Tag: tagText(field.Tag), Doc: field.Doc.Text(), Comment: field.Comment.Text()}
		if len(field.Names) == 0 {
			m.Name, m.Embedded, m.Args = baseName(field.Type), true, typeArgs(field.Type)
			m.At, m.Target = f.position(field.Type.Pos()), f.target(field.Type)
			all = append(all, m)
		}
		for _, name := range field.Names {
			m.Name, m.At = name.Name, f.position(name.Pos())
			all = append(all, m)
		}
	}
	return all
}

func tagText(tag *ast.BasicLit) string {
	if tag == nil {
		return ""
	}
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return tag.Value
	}
	return text
}

// target returns the place to ask for the definition of a type expression's name; none for predeclared names but error, the
// only one with a declaration that says anything.
func (f *File) target(expr ast.Expr) Position {
	id := baseIdent(expr)
	if id == nil || id.Name != "error" && types.Universe.Lookup(id.Name) != nil && !qualified(expr) {
		return Position{}
	}
	return f.position(id.Pos())
}

func qualified(expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return qualified(e.X)
	case *ast.ParenExpr:
		return qualified(e.X)
	case *ast.SelectorExpr:
		return true
	}
	return false
}

func typeArgs(expr ast.Expr) []string {
	var args []ast.Expr
	switch e := expr.(type) {
	case *ast.StarExpr:
		return typeArgs(e.X)
	case *ast.ParenExpr:
		return typeArgs(e.X)
	case *ast.IndexExpr:
		args = []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		args = e.Indices
	}
	var texts []string
	for _, arg := range args {
		texts = append(texts, types.ExprString(arg))
	}
	return texts
}

// Instantiate replaces type parameters in the text of a type by arguments: "map[K][]V" with K, V by string, int is
// "map[string][]int". A text that is no type, or names without arguments, stay as they are.
func Instantiate(text string, params, args []string) string {
	if len(params) == 0 || len(params) != len(args) {
		return text
	}
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return text
	}
	by := make(map[string]string, len(params))
	for i, param := range params {
		by[param] = args[i]
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false // pkg.T: neither part is a parameter
		case *ast.Field:
			ast.Inspect(n.Type, func(inner ast.Node) bool { return rename(inner, by) })
			return false
		}
		return rename(n, by)
	})
	return types.ExprString(expr)
}

func rename(n ast.Node, by map[string]string) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return false
	case *ast.Ident:
		if arg, ok := by[n.Name]; ok {
			n.Name = arg
		}
	}
	return true
}
