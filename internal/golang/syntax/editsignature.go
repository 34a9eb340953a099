package syntax

import (
	"go/ast"
	"go/parser"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// AddParameter has what is declared at a place take one more argument, of a type that nothing has, before the others.
// The declaration may be a function, a method, a method of an interface, a type of functions, or a field or variable
// that holds one.
func (f *File) AddParameter(at Position) (Revision, error) {
	return f.onSignatures(at, nothing, func(name string, t *ast.FuncType) ([]Edit, error) {
		text := Unfit
		if len(t.Params.List) == 0 || len(t.Params.List[0].Names) > 0 {
			text = "_ " + text
		}
		if len(t.Params.List) > 0 {
			text += ", "
		}
		return []Edit{f.insert(t.Params.Opening+1, text)}, nil
	})
}

// AddOptional has it take any number of further arguments.
func (f *File) AddOptional(at Position) (Revision, error) {
	return f.onSignatures(at, nothing, func(name string, t *ast.FuncType) ([]Edit, error) {
		list := t.Params.List
		if len(list) == 0 {
			return []Edit{f.insert(t.Params.Opening+1, "_ ..."+Unfit)}, nil
		}
		last := list[len(list)-1]
		if _, variadic := last.Type.(*ast.Ellipsis); variadic {
			return nil, &EditError{name, "it takes any number of arguments already"}
		}
		text := ", ..." + Unfit
		if len(last.Names) > 0 {
			text = ", _ ..." + Unfit
		}
		return []Edit{f.insert(last.End(), text)}, nil
	})
}

// AddResult has it return one more value, of a type, after the others. Errors in its own body are its own.
func (f *File) AddResult(at Position, typ string) (Revision, error) {
	return f.onSignatures(at, bodyOf, func(name string, t *ast.FuncType) ([]Edit, error) {
		switch results := t.Results; {
		case results == nil || len(results.List) == 0:
			end := t.Params.End()
			if results != nil {
				end = results.End()
			}
			return []Edit{f.replace(t.Params.End(), end, " "+typ)}, nil
		case !results.Opening.IsValid():
			return []Edit{f.insert(results.Pos(), "("), f.insert(results.End(), ", "+typ+")")}, nil
		default:
			last := results.List[len(results.List)-1]
			if len(last.Names) > 0 {
				typ = "_ " + typ
			}
			return []Edit{f.insert(last.End(), ", "+typ)}, nil
		}
	})
}

// Signature has it take and return what a signature says, such as "func(name string) (int, error)". Errors in its own
// body are its own.
func (f *File) Signature(at Position, signature string) (Revision, error) {
	expr, err := parser.ParseExpr(signature)
	wanted, ok := expr.(*ast.FuncType)
	if err != nil || !ok {
		return Revision{}, &EditError{signature, "it is not a signature"}
	}
	params := strings.TrimSuffix(strings.TrimSpace(signature[wanted.Params.Opening:wanted.Params.Closing-1]), ",")
	results := signature[wanted.Params.Closing:]
	return f.onSignatures(at, bodyOf, func(name string, t *ast.FuncType) ([]Edit, error) {
		edit := f.replace(t.Params.Opening, t.End(), "")
		if edit.New != "" && params != "" {
			edit.New = "," + edit.New
		}
		edit.New = "(" + params + edit.New + ")" + results
		return []Edit{edit}, nil
	})
}

// onSignatures edits the signatures that what is declared at a place has: one, or for a variable that is declared with
// a type and made by a function literal both. Errors in what own returns are the doing of the edit.
func (f *File) onSignatures(at Position, own func(inspector.Cursor) ast.Node, edit func(name string, t *ast.FuncType) ([]Edit, error)) (Revision, error) {
	c, id, err := f.named(at)
	if err != nil {
		return Revision{}, err
	}
	signatures := signaturesOf(c)
	if len(signatures) == 0 {
		return Revision{}, &EditError{id.Name, "it is not declared with parameters of its own"}
	}
	var edits []Edit
	for _, t := range signatures {
		more, err := edit(id.Name, t)
		if err != nil {
			return Revision{}, err
		}
		edits = append(edits, more...)
	}
	return f.revise(id.Name, own(c), edits...)
}

func signaturesOf(c inspector.Cursor) []*ast.FuncType {
	kind, index := c.ParentEdge()
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		return []*ast.FuncType{n.Type}
	case *ast.TypeSpec:
		return funcTypes(n.Type)
	case *ast.Field:
		if kind == edge.Field_Names {
			return funcTypes(n.Type)
		}
	case *ast.ValueSpec:
		declared := funcTypes(n.Type)
		if n.Type != nil && declared == nil {
			return nil // the signature of its type
		}
		return append(declared, literalType(n.Values, index)...)
	case *ast.AssignStmt:
		return literalType(n.Rhs, index)
	}
	return nil
}

func funcTypes(typ ast.Expr) []*ast.FuncType {
	if t, ok := ast.Unparen(typ).(*ast.FuncType); ok {
		return []*ast.FuncType{t}
	}
	return nil
}

func literalType(values []ast.Expr, index int) []*ast.FuncType {
	if lit := literalAt(values, index); lit != nil {
		return []*ast.FuncType{lit.Type}
	}
	return nil
}

func literalAt(values []ast.Expr, index int) *ast.FuncLit {
	if index >= len(values) {
		return nil
	}
	lit, _ := ast.Unparen(values[index]).(*ast.FuncLit)
	return lit
}

// nothing returns the code whose errors a parameter that is not used makes by itself.
func nothing(inspector.Cursor) ast.Node { return nil }

// bodyOf returns the code whose errors a changed signature makes by itself; nil if the declaration has none.
func bodyOf(c inspector.Cursor) ast.Node {
	_, index := c.ParentEdge()
	var lit *ast.FuncLit
	switch n := c.Parent().Node().(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			return n.Body
		}
	case *ast.ValueSpec:
		lit = literalAt(n.Values, index)
	case *ast.AssignStmt:
		lit = literalAt(n.Rhs, index)
	}
	if lit == nil {
		return nil
	}
	return lit.Body
}
