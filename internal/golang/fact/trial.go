package fact

// An Edit replaces bytes of the text that a file has on the disk.
type Edit struct {
	Path       string
	Start, End int // offsets
	New        string
}

// A Problem is what a type checker has against a place.
type Problem struct {
	At      Place // on the disk
	Message string
	Systems []string // for which it was found: "windows", "darwin"
}

// A Trial is what edits do on other systems than the one that we run on.
type Trial struct {
	Problems []Problem       // that the edits cause there, in the order of their places
	Seen     map[string]bool // paths of the files that the system we run on does not build, and in which no problem is missed
	// Missed are the directories in which a problem may be missed, with those of Linux, Windows and macOS that it would be
	// one of. A system is none of them if the package lacks declarations there: it is not built for it.
	Missed map[string][]string
	// Unbuilt are the paths of the files that no system builds, whatever the tags: they are only run by their name.
	Unbuilt map[string]bool
}

// An Extent says how much of what other systems build is type-checked.
type Extent int

// The extents.
const (
	LeftOut Extent = iota // the bodies of functions only in files that the system we run on does not build
	Whole                 // all of it
)
