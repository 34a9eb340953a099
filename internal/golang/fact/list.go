package fact

import "slices"

// A Form is how a place lists members of a type.
type Form string

// The forms.
const (
	ByCase  Form = "switch"
	ByKey   Form = "table" // a map or array with members for keys
	ByValue Form = "list"  // members are what it holds
	ByChain Form = "chain" // of comparisons of one value
	ByIndex Form = "row"   // what it holds is found by members as indices
)

// A Switch is a place that lists members of an enum-like type.
type Switch struct {
	Site
	Of      Place // the type
	Form    Form
	Values  []string // of the members that it lists, sorted, each once; of a row those below its length
	Default bool
}

// A TypeSwitch is a switch over the types of a value, or a chain of assertions about one.
type TypeSwitch struct {
	Site
	Subject []Method // what the value is known to have; empty for any
	Cases   []Case
	Default bool
	Chain   bool
}

// A Case is a type that a type switch lists.
type Case struct {
	Type      Place // zero outside of the tree
	Interface bool
	Methods   []Method // of an interface
}

// List adds the value of a member.
func (s *Switch) List(value string) {
	if at, found := slices.BinarySearch(s.Values, value); !found {
		s.Values = slices.Insert(s.Values, at, value)
	}
}

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
	Field   bool // it comes to an embedded field
}
