package fact

import (
	"slices"
	"strings"
)

// A Type is a type that a package declares, in a function or outside.
type Type struct {
	Name          string
	At            Place
	Package       string
	Interface     bool
	Test          bool     // only tests compile it
	OtherPlatform bool     // the system we run on does not build the file
	Methods       []Method // those that a pointer to it has, promoted ones included; an interface's own and embedded ones
	Members       []Member // the constants of the type that its package declares, in the order of their names
}

// A Method is a member of a method set.
type Method struct {
	Name      string // with the package before it if it is unexported
	Signature string
	At        Place // where it is declared; zero outside of the tree
}

// A Member is a constant of an enum-like type.
type Member struct {
	Name  string
	At    Place
	Value string
}

// Has reports whether the type has a method of that name, with the package or without.
func (t *Type) Has(name string) bool {
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

// Satisfies reports whether a type with the methods has is an interface with the methods wanted.
func Satisfies(has, wanted []Method) bool {
	for _, w := range wanted {
		if !provides(has, w) {
			return false
		}
	}
	return true
}

func provides(has []Method, wanted Method) bool {
	for _, m := range has {
		if m.Name == wanted.Name {
			return alike(m.Signature, wanted.Signature)
		}
	}
	return false
}

// Unknown stands in signatures for what is not known: types that were not found, and the parameters of generic ones.
const Unknown = "invalid type"

// alike reports whether two signatures may be the same, as far as they are known.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	as, bs := strings.Split(a, ";"), strings.Split(b, ";")
	return slices.EqualFunc(as, bs, func(a, b string) bool {
		if !strings.Contains(a, Unknown) && !strings.Contains(b, Unknown) {
			return a == b
		}
		return a[:len(a)-len(strings.TrimLeft(a, "()"))] == b[:len(b)-len(strings.TrimLeft(b, "()"))]
	})
}
