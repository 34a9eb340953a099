package packages

import (
	"go/ast"
	"go/types"
)

// A Selection is a selector that comes to a field or method through embedded fields, or that names one of those, also as
// the key of a literal.
type Selection struct {
	Site
	To      Place    // the field or method; zero outside of the tree
	Name    string   // of that
	Through []Place  // the embedded fields that it passes without naming them, as far as the tree declares them
	Names   []string // of all that it passes
	Called  bool
	Key     bool // of a literal
	field   bool // it comes to an embedded field
}

// selected takes a selector that passes embedded fields, or comes to one.
func (l *lists) selected(n *ast.SelectorExpr, stack []ast.Node) {
	of := l.info.Selections[n]
	if of == nil {
		return
	}
	made := Selection{To: l.work.place(origin(of.Obj())), Name: n.Sel.Name, Called: called(n.Sel, append(stack, n))}
	t := of.Recv()
	path := of.Index()
	for _, i := range path[:len(path)-1] {
		field := fieldOf(t, i)
		if field == nil {
			return
		}
		made.Names = append(made.Names, field.Name())
		if at := l.work.place(field.Origin()); at != (Place{}) {
			made.Through = append(made.Through, at)
		}
		t = field.Type()
	}
	field, isField := of.Obj().(*types.Var)
	made.field = isField && field.Embedded()
	if len(made.Names) == 0 && !made.field {
		return
	}
	made.Site = l.site(n.Sel)
	l.facts.Selections = append(l.facts.Selections, made)
}

// keys takes the keys of a literal that name embedded fields.
func (l *lists) keys(n *ast.CompositeLit) {
	for _, e := range n.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, ok := pair.Key.(*ast.Ident)
		if !ok {
			continue
		}
		field, ok := l.info.Uses[name].(*types.Var)
		if !ok || !field.Embedded() {
			continue
		}
		if to := l.work.place(field.Origin()); to != (Place{}) {
			l.facts.Selections = append(l.facts.Selections, Selection{Site: l.site(name), To: to, Name: name.Name, Key: true, field: true})
		}
	}
}

// fieldOf returns a field of a struct, below pointers; nil if t is none.
func fieldOf(t types.Type, i int) *types.Var {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i)
}

func (x *Index) joinSelections(all []Selection) {
	for i := range all {
		s := &all[i]
		x.selected[s.At] = s
		for _, field := range s.Through {
			x.through[field] = append(x.through[field], s)
		}
		if s.field && s.To != (Place{}) {
			x.through[s.To] = append(x.through[s.To], s)
		}
	}
}

// Selection returns the selector whose name stands at a place, if it passes embedded fields or comes to one; nil for any
// other.
func (x *Index) Selection(at Place) *Selection { return x.selected[at] }

// Selections lists the selectors that pass the embedded field at a place, or come to it.
func (x *Index) Selections(field Place) []*Selection { return x.through[field] }
