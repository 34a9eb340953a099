package packages

import "strings"

// A Place is where the name of a declaration stands. The zero value is nowhere: outside of the tree, or unknown.
type Place struct {
	Path         string
	Line, Column int // from 1; columns count bytes
}

// Facts are what is known of the packages of one directory: the one that others import, its tests, and what other
// systems build of it. Read only.
type Facts struct {
	Functions    []Function
	Types        []Type
	Switches     []Switch
	TypeSwitches []TypeSwitch
	Selections   []Selection
	rows         []row
	indexed      []indexed
}

// A row is a list or array without keys that is all that a variable of a package is made of.
type row struct {
	Site
	length int
}

// An indexed variable is found to have values of a type as indices.
type indexed struct{ variable, of Place }

// A Site is a place in a declaration.
type Site struct {
	At            Place
	In            Place  // the name of the top-level declaration around it
	Enclosing     string // that name: "F", "T.M"
	OtherPlatform bool   // the system we run on does not build the file
}

// A Function is a function or method with a body, or a variable of a package with what it is made of.
type Function struct {
	Name          string // "F", "T.M"
	At            Place
	Package       string // import path
	Receiver      Place  // of a method: its type
	Variable      bool
	Test          bool // only tests compile it
	OtherPlatform bool // the system we run on does not build the file
	Fails         bool // an error is among its results
	Uses          []Use

	// The body.
	Words []string // of names and texts, and pairs that follow each other, sorted, each once; see Phrases
	Rows  int      // entries of composite literals
}

// Base returns the name without that of the receiver.
func (f *Function) Base() string { return f.Name[strings.LastIndexByte(f.Name, '.')+1:] }

// A UseKind says what a function does with a declaration.
type UseKind string

// The kinds of use.
const (
	Called UseKind = "called"
	Taken  UseKind = "taken" // as a value, which somebody may call
	Built  UseKind = "built" // a type that is named where values of it come from
	Read   UseKind = "read"  // a variable of a package
)

// A Use is a place at which a function uses a declaration.
type Use struct {
	To       Place
	At       Place
	Kind     UseKind
	Closure  bool     // in a function without a name
	ErrorUse ErrorUse // Called: of the error that is returned
	// Needs are types of which a value must have been made for a run to come to the place, any of them: it stands in a case
	// of a type switch, or after an assertion. Empty: none.
	Needs []Place
}

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
