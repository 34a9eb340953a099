package transcript

import "time"

// An Event is what one line of a transcript says. A field that the line does not speak of is zero.
type Event struct {
	UUID, Parent string    // the record and the one before it in the tree of records; "": the source has no tree, or it is not known
	Root         bool      // the record has no parent, and none is missing: what stands before it was rewound
	Session      string    // that the record names
	ForkedFrom   string    // the session that the record's session was copied from
	At           time.Time // UTC
	Cwd, Branch  string
	Slug         string
	Sidechain    bool   // the record is a subagent's
	Agent        string // the subagent's id

	Prompt   string // what a person asked; "": the line is no prompt
	Command  bool   // Prompt is a slash command: a prompt only if the model answers it
	Local    bool   // the slash command before it was carried out without the model
	Undone   int    // prompts that were rewound, from the last one on
	Message  string // the message that Texts belong to: its blocks come in one line or several; "": each line is one
	Texts    []string
	Calls    []Call
	Failures []Failure

	Title     string
	TitleRank TitleRank
}

// Spoken reports whether the line says anything of a turn.
func (e *Event) Spoken() bool {
	return e.Prompt != "" || e.Local || e.Undone > 0 || len(e.Texts) > 0 || len(e.Calls) > 0 || len(e.Failures) > 0
}

// Limits of what a line says besides texts, in bytes.
const (
	maxID  = 300  // of an id, a branch, a slug
	maxCwd = 4096 // of a path, as the system limits it
)

// bound cuts what is kept for as long as the file is read: a line that was made up may have megabytes of it.
func (e *Event) bound() {
	for _, id := range []*string{&e.UUID, &e.Parent, &e.Session, &e.ForkedFrom, &e.Branch, &e.Slug, &e.Agent, &e.Message} {
		*id = clip(*id, maxID)
	}
	e.Cwd = clip(e.Cwd, maxCwd)
	for i := range e.Calls {
		e.Calls[i].ID = clip(e.Calls[i].ID, maxID)
	}
	for i := range e.Failures {
		e.Failures[i].Call = clip(e.Failures[i].Call, maxID)
	}
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
