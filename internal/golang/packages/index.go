package packages

import (
	"context"
	"slices"
	"strings"
)

// An Index is the facts of several directories, joined. Read only, safe for concurrent use.
type Index struct {
	Functions    []*Function
	Switches     []Switch
	TypeSwitches []TypeSwitch
	Types        []*Type
	Outside      []Type // interfaces that packages beyond the tree declare, and error

	types     map[Place]*Type
	functions map[Place]*Function
	uses      map[Place][]UseIn
	errorUses map[Place]ErrorUse // by the place of the use
	selected  map[Place]*Selection
	through   map[Place][]*Selection
}

// A UseIn is a use, and what it is in.
type UseIn struct {
	By *Function
	*Use
}

// Index joins the facts of directories. One that was made of the same facts before is returned again. The error is ctx's;
// it takes as long as the package at hand.
func (w *Work) Index(ctx context.Context, dirs []string) (*Index, error) {
	w.ended = func() bool { return ctx.Err() != nil }
	var of []*Facts
	for _, dir := range dirs {
		of = append(of, w.Facts(dir))
		if w.ended() {
			return nil, context.Cause(ctx)
		}
	}
	if w.index == nil || !slices.Equal(w.indexed, of) {
		w.index, w.indexed = join(of, w.interfaces()), of
	}
	return w.index, nil
}

func join(all []*Facts, outside []Type) *Index {
	x := &Index{
		Outside: outside, types: make(map[Place]*Type), functions: make(map[Place]*Function), uses: make(map[Place][]UseIn),
		errorUses: make(map[Place]ErrorUse), selected: make(map[Place]*Selection), through: make(map[Place][]*Selection),
	}
	for _, facts := range all {
		x.Switches = append(x.Switches, facts.Switches...)
		x.TypeSwitches = append(x.TypeSwitches, facts.TypeSwitches...)
		for i := range facts.Types {
			t := &facts.Types[i]
			x.Types = append(x.Types, t)
			x.types[t.At] = t
		}
		x.joinSelections(facts.Selections)
		for i := range facts.Functions {
			fn := &facts.Functions[i]
			x.Functions = append(x.Functions, fn)
			x.functions[fn.At] = fn
			for j := range fn.Uses {
				x.uses[fn.Uses[j].To] = append(x.uses[fn.Uses[j].To], UseIn{fn, &fn.Uses[j]})
				if fate := fn.Uses[j].ErrorUse; fate != NoError {
					x.errorUses[fn.Uses[j].At] = fate
				}
			}
		}
	}
	x.joinRows(all)
	return x
}

// Type returns the type that is declared at a place, nil if none is.
func (x *Index) Type(at Place) *Type { return x.types[at] }

// Function returns the function, or variable of a package, that is declared at a place, nil if none is.
func (x *Index) Function(at Place) *Function { return x.functions[at] }

// Uses lists the uses of what is declared at a place.
func (x *Index) Uses(of Place) []UseIn { return x.uses[of] }

// ErrorUse returns what becomes of the error of the call whose function is named at a place.
func (x *Index) ErrorUse(at Place) ErrorUse { return x.errorUses[at] }

// Enum returns the enum-like type that is declared at a place, or of which the constant at the place is a member; nil if
// there is none.
func (x *Index) Enum(at Place) *Type {
	if t := x.types[at]; t != nil && len(t.Members) > 0 {
		return t
	}
	for _, t := range x.Types {
		if slices.ContainsFunc(t.Members, func(m Member) bool { return m.At == at }) {
			return t
		}
	}
	return nil
}

// Prescribed reports whether an interface says how a method looks: one that its type satisfies thanks to it.
func (x *Index) Prescribed(fn *Function) bool {
	receiver := x.types[fn.Receiver]
	if receiver == nil {
		return false
	}
	_, name, _ := strings.Cut(fn.Name, ".")
	asks := func(t *Type) bool {
		return t.Interface && t.has(name) && Satisfies(receiver.Methods, t.Methods)
	}
	return slices.ContainsFunc(x.Types, asks) ||
		slices.ContainsFunc(x.Outside, func(t Type) bool { return asks(&t) })
}

// has reports whether the type has a method of that name, with the package or without.
func (t *Type) has(name string) bool {
	return slices.ContainsFunc(t.Methods, func(m Method) bool { return m.Name == name || strings.HasSuffix(m.Name, "."+name) })
}

// Method returns where the type's method with a name is declared, the zero Place if it is not in the tree.
func (t *Type) Method(name string) Place {
	for _, m := range t.Methods {
		if m.Name == name {
			return m.At
		}
	}
	return Place{}
}
