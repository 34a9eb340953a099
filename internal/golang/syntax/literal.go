package syntax

import (
	"go/ast"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// An Elements says how composite literals are written, as far as they have elements.
type Elements string

// The ways. Of several literals, one without keys counts.
const (
	NoElements Elements = ""        // T{}
	Keyed      Elements = "keyed"   // T{a: 1}
	Unkeyed    Elements = "unkeyed" // T{1}
)

// elementsOf says how the literals of the type that c names are written: T{1}, and those without a type of their own in
// []T{{1}} and map[string]*T{"a": {1}}.
func elementsOf(c inspector.Cursor) Elements {
	levels := 0
	for holding(c.ParentEdgeKind()) {
		if kind := c.ParentEdgeKind(); kind == edge.ArrayType_Elt || kind == edge.MapType_Value {
			levels++
		}
		c = c.Parent()
	}
	literal, ok := c.Parent().Node().(*ast.CompositeLit)
	if !ok || c.ParentEdgeKind() != edge.CompositeLit_Type {
		return NoElements
	}
	return elements(literal, levels)
}

// elements looks at literals that are some levels inside of one.
func elements(literal *ast.CompositeLit, levels int) Elements {
	found := NoElements
	for _, e := range literal.Elts {
		pair, keyed := e.(*ast.KeyValueExpr)
		of := Unkeyed
		switch {
		case levels == 0 && keyed:
			of = Keyed
		case levels > 0:
			if keyed {
				e = pair.Value
			}
			of = NoElements
			if inner, ok := ast.Unparen(e).(*ast.CompositeLit); ok && inner.Type == nil {
				of = elements(inner, levels-1)
			}
		}
		if of != NoElements && found != Unkeyed {
			found = of
		}
	}
	return found
}

// Within says how the innermost composite literal around a position is written, with a type of its own or without;
// NoElements outside of any.
func (f *File) Within(at Position) Elements {
	c, ok := f.node(at)
	if !ok {
		return NoElements
	}
	if literal, ok := c.Node().(*ast.CompositeLit); ok {
		return elements(literal, 0)
	}
	for around := range c.Enclosing((*ast.CompositeLit)(nil), (*ast.FuncLit)(nil)) {
		literal, ok := around.Node().(*ast.CompositeLit)
		if !ok {
			break
		}
		return elements(literal, 0)
	}
	return NoElements
}
