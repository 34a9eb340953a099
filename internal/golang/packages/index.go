package packages

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
)

// An Index is the facts of several directories, joined. Read only, safe for concurrent use.
type Index struct {
	Functions    []*fact.Function
	Switches     []fact.Switch
	TypeSwitches []fact.TypeSwitch
	Types        []*fact.Type
	Outside      []fact.Type // interfaces that packages beyond the tree declare, and error

	types     map[fact.Place]*fact.Type
	functions map[fact.Place]*fact.Function
	uses      map[fact.Place][]fact.UseIn
	errorUses map[fact.Place]fact.ErrorUse // by the place of the use
	selected  map[fact.Place]*fact.Selection
	through   map[fact.Place][]*fact.Selection
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
	outside := w.interfaces(dirs)
	switch {
	case w.ended():
		return nil, context.Cause(ctx)
	case w.index == nil || !slices.Equal(w.indexed, of) || !slices.EqualFunc(w.index.Outside, outside, sameInterface):
		w.index, w.indexed = join(of, outside), of
	}
	return w.index, nil
}

func sameInterface(a, b fact.Type) bool { return a.Package == b.Package && a.Name == b.Name }

func join(all []*Facts, outside []fact.Type) *Index {
	x := &Index{
		Outside: outside, types: make(map[fact.Place]*fact.Type), functions: make(map[fact.Place]*fact.Function), uses: make(map[fact.Place][]fact.UseIn),
		errorUses: make(map[fact.Place]fact.ErrorUse), selected: make(map[fact.Place]*fact.Selection), through: make(map[fact.Place][]*fact.Selection),
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
				x.uses[fn.Uses[j].To] = append(x.uses[fn.Uses[j].To], fact.UseIn{By: fn, Use: &fn.Uses[j]})
				if fate := fn.Uses[j].ErrorUse; fate != fact.NoError {
					x.errorUses[fn.Uses[j].At] = fate
				}
			}
		}
	}
	x.joinRows(all)
	return x
}

// Type returns the type that is declared at a place, nil if none is.
func (x *Index) Type(at fact.Place) *fact.Type { return x.types[at] }

// Function returns the function, or variable of a package, that is declared at a place, nil if none is.
func (x *Index) Function(at fact.Place) *fact.Function { return x.functions[at] }

// Uses lists the uses of what is declared at a place.
func (x *Index) Uses(of fact.Place) []fact.UseIn { return x.uses[of] }

// ErrorUse returns what becomes of the error of the call whose function is named at a place.
func (x *Index) ErrorUse(at fact.Place) fact.ErrorUse { return x.errorUses[at] }

// Enum returns the enum-like type that is declared at a place, or of which the constant at the place is a member; nil if
// there is none.
func (x *Index) Enum(at fact.Place) *fact.Type {
	if t := x.types[at]; t != nil && len(t.Members) > 0 {
		return t
	}
	for _, t := range x.Types {
		if slices.ContainsFunc(t.Members, func(m fact.Member) bool { return m.At == at }) {
			return t
		}
	}
	return nil
}

// Prescribed reports whether an interface says how a method looks: one that its type satisfies thanks to it.
func (x *Index) Prescribed(fn *fact.Function) bool {
	receiver := x.types[fn.Receiver]
	if receiver == nil {
		return false
	}
	_, name, _ := strings.Cut(fn.Name, ".")
	asks := func(t *fact.Type) bool {
		return t.Interface && t.Has(name) && fact.Satisfies(receiver.Methods, t.Methods)
	}
	return slices.ContainsFunc(x.Types, asks) ||
		slices.ContainsFunc(x.Outside, func(t fact.Type) bool { return asks(&t) })
}
