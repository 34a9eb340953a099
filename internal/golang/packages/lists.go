package packages

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"tidepool/internal/golang/fact"
)

// lists collects the places of one declaration that list members of a type, or types.
type lists struct {
	*collector
	in         *fact.Function
	chains     map[string]*fact.Switch
	assertions map[string]*fact.TypeSwitch
	order      []string // keys of both
}

func (l *lists) site(n ast.Node) fact.Site {
	return fact.Site{At: l.work.at(n.Pos()), In: l.in.At, Enclosing: l.in.Name, OtherPlatform: l.otherPlatform}
}

// enum returns the place of a type of the tree that constants may have; false for any other type.
func (l *lists) enum(t types.Type) (fact.Place, bool) {
	if t == nil {
		return fact.Place{}, false
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return fact.Place{}, false
	}
	if _, ok := named.Underlying().(*types.Basic); !ok {
		return fact.Place{}, false
	}
	at := l.work.place(named.Obj())
	return at, at != fact.Place{}
}

// value returns that of a constant expression.
func (l *lists) value(e ast.Expr) (string, bool) {
	v := l.info.Types[e].Value
	if v == nil || v.Kind() == constant.Unknown {
		return "", false
	}
	return v.ExactString(), true
}

func (l *lists) switched(n *ast.SwitchStmt) {
	if n.Tag == nil {
		return
	}
	of, ok := l.enum(l.info.TypeOf(n.Tag))
	if !ok {
		return
	}
	s := fact.Switch{Site: l.site(n), Of: of, Form: fact.ByCase}
	for _, stmt := range n.Body.List {
		clause, ok := stmt.(*ast.CaseClause)
		if !ok {
			continue
		}
		s.Default = s.Default || clause.List == nil
		for _, e := range clause.List {
			if value, ok := l.value(e); ok {
				s.List(value)
			}
		}
	}
	l.facts.Switches = append(l.facts.Switches, s)
}

// literal takes a map or array with members for keys, or else a list or table of members.
func (l *lists) literal(n *ast.CompositeLit) {
	t := l.info.TypeOf(n)
	if t == nil {
		return
	}
	var key, element types.Type
	switch u := t.Underlying().(type) {
	case *types.Map:
		key, element = u.Key(), u.Elem()
	case *types.Slice:
		element = u.Elem()
	case *types.Array:
		element = u.Elem()
	default:
		return
	}
	byKey, byValue := fact.Switch{Site: l.site(n), Form: fact.ByKey}, fact.Switch{Site: l.site(n), Form: fact.ByValue}
	byKey.Of, _ = l.enum(key)
	byValue.Of, _ = l.enum(element)
	for _, e := range n.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			l.keyed(&byKey, pair.Key)
			e = pair.Value
		}
		if value, ok := l.value(e); ok {
			byValue.List(value)
		}
	}
	switch none := (fact.Place{}); {
	case byKey.Of != none && len(byKey.Values) > 0:
		l.facts.Switches = append(l.facts.Switches, byKey)
	case byValue.Of != none && len(byValue.Values) > 0:
		l.facts.Switches = append(l.facts.Switches, byValue)
	}
}

// keyed takes the key of an entry, which tells the type if the keys of an array are members.
func (l *lists) keyed(s *fact.Switch, key ast.Expr) {
	value, ok := l.value(key)
	if !ok {
		return
	}
	of, isEnum := l.enum(l.info.TypeOf(key))
	if s.Of == (fact.Place{}) && isEnum {
		s.Of = of
	}
	if s.Of != (fact.Place{}) && isEnum {
		s.List(value)
	}
}

// compared takes a comparison of a value with a member.
func (l *lists) compared(n *ast.BinaryExpr) {
	if n.Op != token.EQL && n.Op != token.NEQ {
		return
	}
	for _, side := range [2][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		of, ok := l.enum(l.info.TypeOf(side[0]))
		value, isConstant := l.value(side[1])
		if _, both := l.value(side[0]); !ok || !isConstant || both {
			continue
		}
		key := types.ExprString(side[0])
		if l.chains == nil {
			l.chains = make(map[string]*fact.Switch)
		}
		if l.chains[key] == nil {
			l.chains[key] = &fact.Switch{Site: l.site(n), Of: of, Form: fact.ByChain}
			l.order = append(l.order, key)
		}
		l.chains[key].List(value)
	}
}

func (l *lists) typeSwitched(n *ast.TypeSwitchStmt) {
	var assert *ast.TypeAssertExpr
	switch a := n.Assign.(type) {
	case *ast.ExprStmt:
		assert, _ = a.X.(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		assert, _ = a.Rhs[0].(*ast.TypeAssertExpr)
	}
	if assert == nil {
		return
	}
	s := fact.TypeSwitch{Site: l.site(n), Subject: l.asked(assert.X)}
	for _, stmt := range n.Body.List {
		clause, ok := stmt.(*ast.CaseClause)
		if !ok {
			continue
		}
		s.Default = s.Default || clause.List == nil
		for _, e := range clause.List {
			s.Cases = append(s.Cases, l.listed(e)...)
		}
	}
	l.facts.TypeSwitches = append(l.facts.TypeSwitches, s)
}

// asked lists what a value of an interface is known to have.
func (l *lists) asked(subject ast.Expr) []fact.Method {
	t := l.info.TypeOf(subject)
	if t == nil || !types.IsInterface(t) {
		return nil
	}
	return l.work.methods(t)
}

// listed returns the type that an expression names; none for nil and what is not known.
func (l *lists) listed(e ast.Expr) []fact.Case {
	t := l.info.TypeOf(e)
	if t == nil || !l.info.Types[e].IsType() || t == types.Typ[types.Invalid] {
		return nil
	}
	one := fact.Case{Interface: types.IsInterface(t)}
	if one.Interface {
		one.Methods = l.work.methods(t)
	}
	if named := namedOf(t); named != nil {
		one.Type = l.work.place(named.Obj())
	}
	return []fact.Case{one}
}

// asserted takes an assertion that asks, x, ok := y.(T): several about one value are as good as a switch.
func (l *lists) asserted(assign *ast.AssignStmt) {
	if len(assign.Lhs) != 2 || len(assign.Rhs) != 1 || types.ExprString(assign.Lhs[1]) == "_" {
		return
	}
	n, ok := ast.Unparen(assign.Rhs[0]).(*ast.TypeAssertExpr)
	if !ok {
		return
	}
	key := types.ExprString(n.X) + ".()"
	if l.assertions == nil {
		l.assertions = make(map[string]*fact.TypeSwitch)
	}
	if l.assertions[key] == nil {
		l.assertions[key] = &fact.TypeSwitch{Site: l.site(n), Subject: l.asked(n.X), Chain: true}
		l.order = append(l.order, key)
	}
	for _, one := range l.listed(n.Type) {
		if !slices.ContainsFunc(l.assertions[key].Cases, func(c fact.Case) bool { return c.Type == one.Type }) {
			l.assertions[key].Cases = append(l.assertions[key].Cases, one)
		}
	}
}

// close keeps the chains that are longer than one.
func (l *lists) close() {
	for _, key := range l.order {
		if s := l.chains[key]; s != nil && len(s.Values) > 1 {
			l.facts.Switches = append(l.facts.Switches, *s)
		}
		if s := l.assertions[key]; s != nil && len(s.Cases) > 1 {
			l.facts.TypeSwitches = append(l.facts.TypeSwitches, *s)
		}
	}
}
