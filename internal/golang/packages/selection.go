package packages

import (
	"go/ast"
	"go/types"

	"tidepool/internal/golang/fact"
)

// selected takes a selector that passes embedded fields, or comes to one.
func (l *lists) selected(n *ast.SelectorExpr, stack []ast.Node) {
	of := l.info.Selections[n]
	if of == nil {
		return
	}
	made := fact.Selection{To: l.work.place(origin(of.Obj())), Name: n.Sel.Name, Called: called(n.Sel, append(stack, n))}
	t := of.Recv()
	path := of.Index()
	for _, i := range path[:len(path)-1] {
		field := fieldOf(t, i)
		if field == nil {
			return
		}
		made.Names = append(made.Names, field.Name())
		if at := l.work.place(field.Origin()); at != (fact.Place{}) {
			made.Through = append(made.Through, at)
		}
		t = field.Type()
	}
	field, isField := of.Obj().(*types.Var)
	made.Field = isField && field.Embedded()
	if len(made.Names) == 0 && !made.Field {
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
		if to := l.work.place(field.Origin()); to != (fact.Place{}) {
			l.facts.Selections = append(l.facts.Selections, fact.Selection{Site: l.site(name), To: to, Name: name.Name, Key: true, Field: true})
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

func (x *Index) joinSelections(all []fact.Selection) {
	for i := range all {
		s := &all[i]
		x.selected[s.At] = s
		for _, field := range s.Through {
			x.through[field] = append(x.through[field], s)
		}
		if s.Field && s.To != (fact.Place{}) {
			x.through[s.To] = append(x.through[s.To], s)
		}
	}
}

// Selection returns the selector whose name stands at a place, if it passes embedded fields or comes to one; nil for any
// other.
func (x *Index) Selection(at fact.Place) *fact.Selection { return x.selected[at] }

// Selections lists the selectors that pass the embedded field at a place, or come to it.
func (x *Index) Selections(field fact.Place) []*fact.Selection { return x.through[field] }
