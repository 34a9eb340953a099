package main

import (
	"go/ast"
	"go/types"
)

// A goType is what methods a value of a type, or a pointer to it, has: signatures by name.
type goType map[string]string

// own notes which methods a type has, promoted ones, too.
func (r *goReader) own(named *types.Named) {
	set := types.NewMethodSet(types.NewPointer(named))
	has := goType{}
	for method := range set.Methods() {
		has[method.Obj().Id()] = signature(method.Type())
	}
	for method := range set.Methods() {
		if fn, ok := method.Obj().(*types.Func); ok {
			if at, ok := r.at(fn.Origin().Pos()); ok {
				r.owners[at] = append(r.owners[at], has)
			}
		}
	}
}

// signature writes a signature so that those of one package's variants are alike.
func signature(t types.Type) string {
	s, ok := t.(*types.Signature)
	if !ok {
		return ""
	}
	bare := types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic())
	return types.TypeString(bare, (*types.Package).Path)
}

func unnamed(tuple *types.Tuple) *types.Tuple {
	var all []*types.Var
	for v := range tuple.Variables() {
		all = append(all, types.NewParam(v.Pos(), nil, "", v.Type()))
	}
	return types.NewTuple(all...)
}

// asks returns the methods of an interface, or of the constraint of a type parameter.
func asks(t types.Type) map[string]string {
	of, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	all := map[string]string{}
	for method := range of.Methods() {
		all[method.Id()] = signature(method.Type())
	}
	return all
}

// contract takes the use of an interface's method.
func (r *goReader) contract(at place, fn *types.Func, stack []ast.Node) {
	made := goContract{at: at, declared: asks(fn.Signature().Recv().Type())}
	made.static = made.declared
	if selector, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
		if of := r.pkg.TypesInfo.Selections[selector]; of != nil {
			if wanted := asks(holder(of)); wanted != nil {
				made.static = wanted
			}
		}
	}
	r.contracts[fn.Id()] = append(r.contracts[fn.Id()], made)
}

// holder returns the type of the value whose method a selector names: the last embedded field on the way to it, or else what
// stands before the dot.
func holder(of *types.Selection) types.Type {
	t := of.Recv()
	path := of.Index()
	for _, i := range path[:len(path)-1] {
		if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
			t = pointer.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return t
		}
		t = s.Field(i).Type()
	}
	return t
}

// satisfies reports whether a type has what an interface asks for.
func (t goType) satisfies(wanted map[string]string) bool {
	for id, signature := range wanted {
		if t[id] != signature {
			return false
		}
	}
	return true
}

// finish joins methods with the uses of interfaces' methods through which they run.
func (r *goReader) finish() []function {
	var all []function
	for at, fn := range r.functions {
		for _, has := range r.owners[at] {
			for id := range has {
				r.through(fn, id, has)
			}
		}
		if r.abstract[at] { // a struct that embeds the interface may run it for others: that depends on the value
			fn.May, fn.Through = append(fn.May, fn.Through...), nil
		}
		fn.Calls, fn.Values, fn.Through = distinct(fn.Calls), distinct(fn.Values), distinct(fn.Through)
		all = append(all, *fn)
	}
	return all
}

// through adds the uses of interfaces' methods with an ID, if it is that of the function.
func (r *goReader) through(fn *function, id string, has goType) {
	if base(id) != base(fn.Name) {
		return
	}
	for _, use := range r.contracts[id] {
		switch {
		case has.satisfies(use.static):
			fn.Through = append(fn.Through, use.at)
		case has.satisfies(use.declared):
			fn.May = append(fn.May, use.at)
		}
	}
}
