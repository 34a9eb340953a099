package query

// A Construction is what makes values of a type, or is one. The zero value is that of a type of which nothing is known.
type Construction struct {
	Head
	IsGADT   bool
	Made     []ConstructorGroup
	Literals int    // places that build a value without any of Made
	Problem  string // what the type is instead; ""
	Unread   bool   // more may make it than Made: a Problem says what is not looked for if that is empty
}

// A ConstructorGroup is the constructors of one kind, at least one.
type ConstructorGroup struct {
	Kind string // constant, implementation, function, …; with an s behind it for several
	By   []Constructor
}

// List adds the constructors of a kind, if there are any.
func (c *Construction) List(kind string, found []Constructor) {
	if len(found) > 0 {
		c.Made = append(c.Made, ConstructorGroup{kind, found})
	}
}

// A Constructor is one thing that makes, or is, a value of a type.
type Constructor struct {
	Name     string
	Fields   []string // types of a function's parameters, or of an implementation's fields
	IsRecord bool     // its fields have names
	Detail   string   // a constant's value, an implementation's form, a function's results
	Doc      string   // on one line
	Test     bool     // only tests have it
	File     string   // absolute
	Line     int
	Shown    string // as people of the language write it; "": as Go writes its kind
}
