package query

// A TestRecord is what tests ran when each was run alone.
type TestRecord struct {
	Tests []RecordedTest
	Ran   []RanFunction
	Doubt string // why it is not all that is to know; "": it is
}

// A RecordedTest is a test by where it is.
type RecordedTest struct {
	Dir  string // absolute; of the file that declares it
	Name string
}

// A RanFunction is a function that tests ran.
type RanFunction struct {
	Path  string // absolute
	Name  string // "F", "T.M"; of a method of a generic type perhaps "M" alone
	Line  int    // between its name and its body, from 1; 0: the file has changed since
	Tests []int  // indices of the record's Tests, ascending
}
