package transcript

import "time"

// A Turn is a prompt and what followed it in its file until the next prompt.
type Turn struct {
	Number    int       // counts the prompts of the file from 0, in the order they stand there; never changes while the file grows
	UUID      string    // of the prompt's record; "": the source has none
	Session   string    // the session that the prompt's record names: a fork's copied turns keep the first one's; "": it names none
	At        time.Time // of the prompt's record, UTC; zero: it has none
	User      string    // the prompt; at most MaxUser bytes
	Answer    string    // the text blocks, parted by a blank line, code in its fences; at most MaxTexts of them, and MaxAnswer bytes
	Tools     []Tool    // in the order of their calls; at most MaxTools
	Abandoned bool      // the prompt is no ancestor of the file's last record: it was edited away or rewound
	Cut       int       // bytes of text, and calls as their names' bytes, that exceeded the limits; 0: the turn is whole
	Start     int64     // the offset in the file of the prompt's line
	End       int64     // the offset behind the last line that the turn was read from, without its newline
}

// Limits of one turn. What exceeds them is left out and counted in Cut.
const (
	MaxUser    = 1 << 20  // bytes of a prompt
	MaxAnswer  = 4 << 20  // bytes of an answer
	MaxTexts   = 10_000   // text blocks of an answer
	MaxTools   = 10_000   // calls
	MaxCommand = 16 << 10 // bytes of each text of a call
)

// A Tool is one call of a tool: what it was asked for, never what it returned.
type Tool struct {
	Name        string
	File        string // the path that it was given
	Command     string // of a shell
	Pattern     string // of a search
	Type        string // of a subagent
	Description string // of a subagent's task
	Chars       int    // characters written; 0: none, or not known
	Error       string // the first line of a failure; "": it succeeded, or has not ended
}

// An Info is what the lines read so far say about their file as a whole. A zero field was in none of them.
type Info struct {
	Session     string    // the file's stem
	Cwd         string    // the first working directory
	Branch      string    // the first Git branch
	Slug        string    // the source's own short name of the session
	Title       string    // the best that was given: by the user, by a model, a summary, an agent's name; else the first prompt's first line
	First, Last time.Time // the earliest and the latest time of a record, UTC
	Sidechain   bool      // the file is a subagent's
	Agent       string    // the subagent's id
	Parent      string    // the session that started the subagent, or that the file was forked from
	Skipped     int       // lines of no interest: bookkeeping, unknown types
	Unreadable  int       // lines that are no JSON, or too long
}

// A Mark is the state of a turn that changes without its text: whether its prompt was abandoned.
type Mark struct {
	Number    int
	Abandoned bool
}
