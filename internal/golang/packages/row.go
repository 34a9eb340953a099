package packages

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"tidepool/internal/golang/fact"
)

// row takes the value of a variable that is a list or array without keys.
func (c *collector) row(in *fact.Function, value ast.Expr) {
	literal, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok || len(literal.Elts) == 0 {
		return
	}
	if _, keyed := literal.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	t := c.info.TypeOf(literal)
	if t == nil {
		return
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		l := lists{collector: c, in: in}
		c.facts.Rows = append(c.facts.Rows, Row{l.site(literal), len(literal.Elts)})
	}
}

// indexed takes a variable of a package with an index of an enum-like type, converted or not.
func (l *lists) indexed(n *ast.IndexExpr) {
	var id *ast.Ident
	switch x := ast.Unparen(n.X).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return
	}
	of, ok := l.enum(l.info.TypeOf(l.unconverted(n.Index)))
	variable, isVariable := l.info.Uses[id].(*types.Var)
	if !ok || !isVariable || variable.IsField() {
		return
	}
	if at := l.work.place(variable); at != (fact.Place{}) {
		l.facts.Indexed = append(l.facts.Indexed, Indexed{at, of})
	}
}

// unconverted is x for int(x).
func (l *lists) unconverted(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && len(call.Args) == 1 && l.info.Types[call.Fun].IsType() {
		return call.Args[0]
	}
	return e
}

// joinRows makes switches of the rows that are as long as their type has members: a shorter or longer one means
// something else.
func (x *Index) joinRows(all []*Facts) {
	rows := make(map[fact.Place]Row)
	for _, facts := range all {
		for _, r := range facts.Rows {
			rows[r.In] = r
		}
	}
	for _, facts := range all {
		for _, use := range facts.Indexed {
			r, known := rows[use.Variable]
			typ := x.types[use.Of]
			if !known || typ == nil || !counts(typ, r.Length) {
				continue
			}
			delete(rows, use.Variable)
			s := fact.Switch{Site: r.Site, Of: use.Of, Form: fact.ByIndex}
			for i := range r.Length {
				s.List(strconv.Itoa(i))
			}
			x.Switches = append(x.Switches, s)
		}
	}
}

// counts reports whether the members of a type have the values from 0 on, and no others.
func counts(t *fact.Type, length int) bool {
	var values []string
	for _, m := range t.Members {
		values = append(values, m.Value)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for i := range length {
		if !slices.Contains(values, strconv.Itoa(i)) {
			return false
		}
	}
	return len(values) == length
}
