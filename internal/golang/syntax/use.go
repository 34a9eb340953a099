package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A Kind says what a use does with the name it uses.
type Kind string

// The kinds of uses. Where a call of a function and the conversion to a type look the same, the kind is Call: who asks
// knows which of the two the name is. The same holds for Value, which a type argument of a generic function looks like.
const (
	Call        Kind = "call"        // F(x), x.F(y), F[int](x)
	Go          Kind = "go"          // go F(x)
	Defer       Kind = "defer"       // defer F(x)
	Value       Kind = "value"       // F or x.F without a call; a variable or constant read
	Write       Kind = "write"       // x = 1, x++
	Address     Kind = "address"     // &x
	New         Kind = "new"         // new(T), make(T)
	Literal     Kind = "literal"     // T{}, &T{}, []T{}, map[string]T{}
	Key         Kind = "key"         // the key in T{F: x} or map[K]V{F: x}
	Case        Kind = "case"        // case F:
	TypeCase    Kind = "type case"   // case T: of a type switch
	Assertion   Kind = "assertion"   // x.(T)
	Qualifier   Kind = "qualifier"   // the x of x.F
	Import      Kind = "import"      // the name or path of an import
	Declaration Kind = "declaration" // where the name itself is declared
	Parameter   Kind = "parameter"   // type of a parameter
	Result      Kind = "result"      // type of a result
	Receiver    Kind = "receiver"    // type of a receiver
	Constraint  Kind = "constraint"  // type of a type parameter, or a term of one
	FieldType   Kind = "field"       // type of a struct's field
	Embedded    Kind = "embedded"    // embedded in a struct or an interface
	Definition  Kind = "definition"  // what a type declaration says the new type is
	Type        Kind = "type"        // any other type, such as a variable's
	Label       Kind = "label"       // of goto, break, continue
)

// A Use is how a name is used at one place.
type Use struct {
	Kind      Kind
	Enclosing string // the top-level declaration around it: "F", "T.M", the first name of several; "" outside of any
	Passed    string // for a Value that is an argument: the function it is passed to, as written
	// Whole is where the switch starts that the use is a case of, or the composite literal it is a key or element of.
	Whole    Position
	Keys     bool     // of a type: that of a map's keys
	Elements Elements // of a Literal: how those of the type itself are written
	Handed   bool     // a Value that is all that a variable or constant of the package is made of
}

// Called reports whether the use calls what it names.
func (u Use) Called() bool { return u.Kind == Call || u.Kind == Go || u.Kind == Defer }

// Use says how the identifier at a position is used; false if no identifier or import path stands there, as in
// comments and other strings.
func (f *File) Use(at Position) (Use, bool) {
	c, ok := f.identifier(at)
	if !ok {
		return Use{}, false
	}
	use := Use{Enclosing: enclosing(c)}
	if _, literal := c.Node().(*ast.BasicLit); literal {
		use.Kind = Import
		return use, c.ParentEdgeKind() == edge.ImportSpec_Path
	}
	use.Kind, use.Whole = f.kind(c), f.whole(c)
	switch named := skip(c, naming); use.Kind {
	case Value:
		use.Passed, use.Handed = passedTo(named), handed(named)
	case Literal:
		use.Elements = elementsOf(c)
	case Type, FieldType, Parameter, Result, Definition:
		use.Keys = named.ParentEdgeKind() == edge.MapType_Key
	}
	return use, true
}

// handed reports whether c is the whole value of a variable or constant of the package.
func handed(c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.ValueSpec_Values {
		return false
	}
	_, ok := c.Parent().Parent().Parent().Node().(*ast.File)
	return ok
}

// naming returns the edges from a name to an expression that stands for the same thing: x.F, (F), F[int].
func naming(k edge.Kind) bool {
	switch k {
	case edge.SelectorExpr_Sel, edge.ParenExpr_X, edge.IndexExpr_X, edge.IndexListExpr_X:
		return true
	}
	return false
}

// composing returns the edges from a type to one made of it: *T, []T, map[K]T, chan T, G[T], ...T, ~T, T|U.
func composing(k edge.Kind) bool {
	switch k {
	case edge.StarExpr_X, edge.ArrayType_Elt, edge.MapType_Key, edge.MapType_Value, edge.ChanType_Value, edge.Ellipsis_Elt,
		edge.IndexExpr_Index, edge.IndexListExpr_Indices, edge.UnaryExpr_X, edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return true
	}
	return naming(k)
}

// holding returns the composing edges to a type whose values hold those of the first: *T, []T, map[K]T.
func holding(k edge.Kind) bool {
	return naming(k) || k == edge.StarExpr_X || k == edge.ArrayType_Elt || k == edge.MapType_Value
}

func skip(c inspector.Cursor, along func(edge.Kind) bool) inspector.Cursor {
	for along(c.ParentEdgeKind()) {
		c = c.Parent()
	}
	return c
}

func (f *File) kind(c inspector.Cursor) Kind {
	named := skip(c, naming)
	switch k := typePosition(skip(c, composing)); {
	case k == Literal && typePosition(skip(c, holding)) != Literal:
		return Type // the K of map[K]V{}
	case k != "":
		return k
	}
	if named == c && declares(c) {
		return Declaration
	}
	parent := named.Parent()
	switch named.ParentEdgeKind() {
	case edge.CallExpr_Fun:
		return callKind(parent)
	case edge.SelectorExpr_X:
		return Qualifier
	case edge.KeyValueExpr_Key:
		return Key
	case edge.CaseClause_List:
		return Case
	case edge.ImportSpec_Name:
		return Import
	case edge.BranchStmt_Label:
		return Label
	case edge.IncDecStmt_X, edge.AssignStmt_Lhs:
		return Write
	case edge.UnaryExpr_X:
		if unary, ok := parent.Node().(*ast.UnaryExpr); ok && unary.Op == token.AND {
			return Address
		}
	case edge.StarExpr_X:
		return pointerKind(parent)
	case edge.ArrayType_Elt, edge.MapType_Key, edge.MapType_Value, edge.ChanType_Value: // []T(x)
		return Type
	}
	return Value
}

func callKind(call inspector.Cursor) Kind {
	switch call.ParentEdgeKind() {
	case edge.GoStmt_Call:
		return Go
	case edge.DeferStmt_Call:
		return Defer
	}
	return Call
}

// pointerKind tells the *T of (*T)(x) and (*T).M from a pointer that is followed.
func pointerKind(star inspector.Cursor) Kind {
	outer := skip(star, naming)
	switch {
	case outer == star:
		return Value
	case outer.ParentEdgeKind() == edge.CallExpr_Fun:
		return Call
	case outer.ParentEdgeKind() == edge.SelectorExpr_X:
		return Qualifier
	}
	return Value
}

func declares(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.Field_Names, edge.FuncDecl_Name, edge.TypeSpec_Name, edge.ValueSpec_Names, edge.LabeledStmt_Label, edge.File_Name:
		return true
	case edge.AssignStmt_Lhs:
		assign, ok := c.Parent().Node().(*ast.AssignStmt)
		return ok && assign.Tok == token.DEFINE
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		loop, ok := c.Parent().Node().(*ast.RangeStmt)
		return ok && loop.Tok == token.DEFINE
	}
	return false
}

// typePosition returns the kind of a place that only a type can stand in, "" for any other.
func typePosition(c inspector.Cursor) Kind {
	switch kind, index := c.ParentEdge(); kind {
	case edge.Field_Type:
		return fieldKind(c.Parent())
	case edge.ValueSpec_Type, edge.FuncLit_Type:
		return Type
	case edge.TypeSpec_Type:
		return Definition
	case edge.CompositeLit_Type:
		return Literal
	case edge.TypeAssertExpr_Type:
		return Assertion
	case edge.CaseClause_List:
		if _, ok := c.Parent().Parent().Parent().Node().(*ast.TypeSwitchStmt); ok {
			return TypeCase
		}
	case edge.CallExpr_Args:
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok && index == 0 && allocates(call.Fun) {
			return New
		}
	}
	return ""
}

func allocates(fun ast.Expr) bool {
	id, ok := fun.(*ast.Ident)
	return ok && (id.Name == "new" || id.Name == "make")
}

// fieldKind tells the lists of fields apart: parameters, results, receivers, type parameters, structs, interfaces.
func fieldKind(field inspector.Cursor) Kind {
	list := field.Parent()
	f, _ := field.Node().(*ast.Field)
	switch list.ParentEdgeKind() {
	case edge.FuncType_Params:
		return Parameter
	case edge.FuncType_Results:
		return Result
	case edge.FuncDecl_Recv:
		return Receiver
	case edge.FuncType_TypeParams, edge.TypeSpec_TypeParams:
		return Constraint
	case edge.StructType_Fields, edge.InterfaceType_Methods:
		if len(f.Names) == 0 {
			return Embedded
		}
		return FieldType
	}
	return Type
}

// passedTo names the function that c is an argument of, "" if it is none.
func passedTo(c inspector.Cursor) string {
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return ""
	}
	call, ok := c.Parent().Node().(*ast.CallExpr)
	if !ok {
		return ""
	}
	return types.ExprString(call.Fun)
}
