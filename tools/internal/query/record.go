package query

// A Head is what is said of a type before its fields or its constructors.
type Head struct {
	Path     string   // absolute, of the file with the name that was asked for
	Line     int      // of that name
	Kind     string   // of the type that it leads to: struct, interface, class, map, …
	Doc      string   // on one line
	Raw      string   // the definition as it stands in the source, however long
	Followed []string // names that lead from the one asked for to the one shown, as sentences without an end
}

// A Record is the fields of a type. The zero value is that of a type of which nothing is known.
type Record struct {
	Head
	IsRecord bool     // the type has fields, or could have
	Fields   []Field  // its own in order, then promoted ones
	Methods  []Method // an interface's; a struct's promoted ones
	Hidden   int      // members that other packages promote in vain
	Problem  string   // what the type is instead of one with fields; ""
}

// MaxMembers bounds how many of a Record's fields are shown, and of its methods.
const MaxMembers = 400

// A Field is a field of a type.
type Field struct {
	Name         string
	Type         string // as written
	Strict       bool   // it holds a value, not a computation of one
	Tag          string // what else its declaration says: a tag in Go, a default in Python
	Doc          string // the comments above and beside it, on one line
	Embedded     bool
	PromotedFrom string // the embedded fields on the way to it, or the class that it is inherited from; "" for its own
	File         string // absolute
	Line         int
}

// A Method is one that a type asks for or that an embedded type promotes.
type Method struct {
	Name         string
	Type         string // "func(n int) error", or what the language writes behind a name
	Doc          string
	PromotedFrom string // as that of a Field
	File         string // absolute
	Line         int
	Column       int // of its name, where that is known
}
