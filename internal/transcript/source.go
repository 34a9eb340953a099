package transcript

import "time"

// A Source is a program whose conversations can be read. Adding one is a file and a line in [Sources].
type Source struct {
	Name string // "claude", "codex"
	// Root returns the directory that the source keeps its transcripts below; home is the user's, getenv reads the
	// environment.
	Root func(home string, getenv func(string) string) string
	// File reports what a file is by its path below the root, parted by slashes; false: it is no transcript.
	File func(rel string) (File, bool)

	decode func(line []byte) (Event, error)
}

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

// An Event is what one line of a transcript says. A field that the line does not speak of is zero.
type Event struct {
	UUID, Parent string    // the record and the one before it in the tree of records
	Root         bool      // the record has no parent, and none is missing: what stands before it was rewound
	Session      string    // that the record names
	At           time.Time // UTC
	Cwd, Branch  string
	Slug         string
	Sidechain    bool // the record is a subagent's
	Agent        string

	Prompt   string // what a person asked; "": the line is no prompt
	Message  string // the message that Texts belong to: its blocks come in one line or several
	Texts    []string
	Calls    []Call
	Failures []Failure

	Title     string
	TitleRank TitleRank
}

// A Call is the use of a tool, by the id that its result names.
type Call struct {
	ID string
	Tool
}

// A Failure is the result of a call that failed.
type Failure struct {
	Call  string // its id
	Error string // the first line
}

// A TitleRank orders titles by who gave them: a higher one replaces a lower one, an equal one replaces an earlier one.
type TitleRank uint8

// The ranks of titles.
const (
	NoTitle      TitleRank = iota
	AgentTitle             // the name of an agent
	SummaryTitle           // a summary that a model wrote
	ModelTitle             // a title that a model gave
	UserTitle              // a title that the user gave
)
