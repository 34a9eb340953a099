package text

// A Position is a place in a file. Both fields count from 1; Column counts bytes, as compilers do.
// The zero Position means "nowhere".
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A Range is the text from Start up to, not including, End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a range of a file.
type Location struct {
	Path  string `json:"path"` // absolute, in the form of the operating system
	Range Range  `json:"range"`
}

// Compare orders positions of one file.
func (p Position) Compare(other Position) int {
	if p.Line != other.Line {
		return p.Line - other.Line
	}
	return p.Column - other.Column
}
