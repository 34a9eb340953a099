package packages

import (
	"go/ast"
	"go/types"
	"strings"

	"tidepool/internal/golang/fact"
)

// typ collects what is known of the type that an identifier declares.
func (c *collector) typ(name *ast.Ident) {
	obj, ok := c.info.Defs[name].(*types.TypeName)
	if !ok || obj.IsAlias() {
		return
	}
	made := fact.Type{
		Name: obj.Name(), At: c.work.at(name.Pos()), Package: c.pkg.Path(), Test: c.test, OtherPlatform: c.otherPlatform,
		Interface: types.IsInterface(obj.Type()), Methods: c.work.methods(obj.Type()), Members: c.members(obj),
	}
	c.facts.Types = append(c.facts.Types, made)
}

// methods lists the method set of a type, of a pointer to it if it is no interface.
func (w *Work) methods(t types.Type) []fact.Method {
	return methodsOf(t, func(fn *types.Func) fact.Place { return w.place(fn.Origin()) })
}

func methodsOf(t types.Type, place func(*types.Func) fact.Place) []fact.Method {
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	var all []fact.Method
	for selection := range types.NewMethodSet(t).Methods() {
		fn, ok := selection.Obj().(*types.Func)
		if !ok {
			continue
		}
		all = append(all, fact.Method{Name: fn.Id(), Signature: signature(fn.Origin().Signature()), At: place(fn)})
	}
	return all
}

// signature writes the types of parameters and results, without their names.
func signature(s *types.Signature) string {
	var b strings.Builder
	for _, list := range []*types.Tuple{s.Params(), s.Results()} {
		b.WriteByte('(')
		for v := range list.Variables() {
			if generic(v.Type()) {
				b.WriteString(fact.Unknown)
			} else {
				b.WriteString(types.TypeString(v.Type(), (*types.Package).Path))
			}
			b.WriteByte(';')
		}
		b.WriteByte(')')
	}
	if s.Variadic() {
		b.WriteString("...")
	}
	return b.String()
}

// generic reports whether a type depends on type parameters.
func generic(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if generic(arg) {
				return true
			}
		}
	case *types.Map:
		return generic(t.Key()) || generic(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return generic(t.Elem())
	case *types.Signature:
		return generic(t.Params()) || generic(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if generic(v.Type()) {
				return true
			}
		}
	}
	return false
}

// members lists the constants of a type that its package declares.
func (c *collector) members(obj *types.TypeName) []fact.Member {
	if _, ok := obj.Type().Underlying().(*types.Basic); !ok || obj.Parent() != c.pkg.Scope() {
		return nil
	}
	var all []fact.Member
	for _, name := range c.pkg.Scope().Names() {
		constant, ok := c.pkg.Scope().Lookup(name).(*types.Const)
		if ok && types.Identical(constant.Type(), obj.Type()) {
			all = append(all, fact.Member{Name: name, At: c.work.place(constant), Value: constant.Val().ExactString()})
		}
	}
	return all
}
