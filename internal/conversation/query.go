package conversation

import (
	"time"

	"tidepool/internal/transcript"
)

// A Query asks for the turns that match some words. The zero Query matches nothing.
type Query struct {
	Text       string    // words, "quoted phrases" that must occur, or the id of a session or at least 8 characters of it
	Limit      int       // hits; 0: 10, at most 200
	Skip       int       // hits to leave out, of an earlier page
	Session    string    // an id or a prefix that only one session has; "": all
	Project    string    // part of the path of the checkout, in any case; "": all that the archive has
	Branch     string    // the git branch; "": all
	Role       string    // RoleUser, RoleClaude; "": both
	Since      time.Time // of the prompt, included; zero: no bound
	Until      time.Time // of the prompt, not included; zero: no bound
	Subagents  bool      // search the sessions of subagents, too
	Except     Place     // the turn that is being asked from; the zero Place leaves out none
	MaxSnippet int       // characters of each half of a snippet; 0: 300, at most 4000
}

// Whose words a query looks at.
const (
	RoleUser   = "user"      // prompts
	RoleClaude = "assistant" // answers, their code, files and commands
)

// A Place names a turn.
type Place struct {
	Session string // ""; none
	Turn    int    // from 0; CurrentTurn: the last one
}

// CurrentTurn as the number of a Place is the last turn of its session.
const CurrentTurn = -1

// A Hit is a turn that matches.
type Hit struct {
	Session   string // its whole id
	Title     string // of the session
	Project   string // the checkout or worktree that the session ran in: the last name of its path
	Cwd       string // where the session ran, as its transcript says
	Branch    string // the git branch; "": unknown
	Turn      int
	Score     float64   // greater is better; comparable within one answer only
	At        time.Time // of the prompt, UTC; zero: unknown
	Snippet   Snippet
	Files     []string // that the turn's tools named, each once
	Abandoned bool     // edited away or rewound
	Resumable bool     // Claude Code still has the transcript
	Subagent  bool
	More      int // next best hits of its session that were left out for the sake of other sessions
}

// A Snippet is the part of a turn around the words. Either half may be "".
type Snippet struct {
	User   string
	Claude string
}

// A Found is the answer to a Query.
type Found struct {
	Hits    []Hit    // best first
	Matches int      // turns that match, whether or not Hits has them
	Unknown []string // words of the query that no turn of the archive has
	Ignored []string // words of the query that count for nothing, such as "the", or are too many
	State   Completeness
}

// States of a Completeness.
const (
	Complete = "complete" // all that the project's transcripts hold
	Indexing = "indexing" // transcripts are still being read for the first time
	Partial  = "partial"  // something could not be read, or may be late: Why says it
)

// A Completeness says how much of the project's transcripts an answer covers.
type Completeness struct {
	State string
	Share float64 // while indexing: read bytes, from 0 to 1
	Why   string  // while partial: one line
}

// A ListQuery asks for sessions. The zero one lists the latest 50.
type ListQuery struct {
	Project   string    // as in Query
	Text      string    // part of the title, the slug, the branch or the id, in any case; "": all
	Since     time.Time // sessions with a turn after it; zero: no bound
	Limit     int       // 0: 50, at most 1000
	Skip      int
	Subagents bool
}

// A Summary says what a session was.
type Summary struct {
	Session    string
	Slug       string // Claude Code's readable name of the session; "": none
	Title      string // never "" for a session with turns: its first prompt, if nothing better
	Cwd        string
	Branch     string
	Project    string    // as in Hit
	Parent     string    // the session that started this one as a subagent; "": it is none, or not known
	ForkedFrom string    // the session that its first turns were copied from; "": none
	First      time.Time // first and last record, UTC; zero: none has a time
	Last       time.Time
	Turns      int
	Resumable  bool
	Subagent   bool
	Source     string // the program: "claude", "codex"
}

// A Turn is what was said in one turn.
type Turn struct {
	Session   string
	Number    int
	At        time.Time // of the prompt, UTC; zero: unknown
	User      string
	Answer    string
	Tools     []Tool
	Abandoned bool
	Forgotten bool // the turn was copied from a session that was forgotten: it has no text
	Cut       int  // bytes that were too long to be kept
}

// A Tool is one call of a tool: what it was asked for, never what it returned.
type Tool = transcript.Tool

// A Status describes an archive to people. It holds no text of a transcript.
type Status struct {
	Path        string // of the store; "": there is none yet
	Bytes       int64  // of the store
	Memory      int    // bytes of postings in memory; 0: nobody asked lately
	Sessions    int
	Turns       int
	Transcripts int   // files that exist
	Gone        int   // transcripts that were deleted and whose turns are kept
	Refused     int   // files that may not be read
	Source      int64 // bytes of the transcripts
	Skipped     int   // lines of kinds that are not known
	Unreadable  int   // lines that are damaged or too long
	State       Completeness
	Writer      bool     // this process keeps the store up to date
	Watched     bool     // changes are reported by the system; else files are looked at
	Notes       []string // what is off or was set aside, and why; a line each
}
