package transcript

// A Source is a program whose conversations can be read. Adding one is a file and a line in [Sources].
type Source struct {
	Name string // "claude", "codex"
	// Root returns the directory that the source keeps its transcripts below; home is the user's, getenv reads the
	// environment.
	Root func(home string, getenv func(string) string) string
	// ByProject: the directories below the root are named after working directories, what is no letter or digit replaced by a
	// hyphen, so that several may have one name.
	ByProject bool
	// Dir reports whether there may be transcripts below a directory, by its path below the root.
	Dir func(rel string) bool
	// File reports what a file is by its path below the root, parted by slashes; false: it is no transcript.
	File func(rel string) (File, bool)

	decode func(line []byte) (Event, error)
}

// Sources returns the programs whose conversations can be read.
func Sources() []Source { return []Source{claude(), codex()} }

// A File is what the path of a transcript says about it.
type File struct {
	Session   string // the id that NewReader takes
	Parent    string // of a subagent's file: the session above it; "": the path does not say
	Sidechain bool   // the file is a subagent's
	Group     string // the directory below the root that the source keeps related sessions in: Claude Code's slug; "": none
}

// Decode returns what a line says; false if it says nothing of interest or cannot be read.
func (s Source) Decode(line []byte) (Event, bool) {
	e, err := s.decode(line)
	return e, err == nil
}
