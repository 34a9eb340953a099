// Package memory is what tidepool remembers, as values: a memory, and a draft of one. It does no input or output.
package memory

import "time"

// A Kind says what a memory is.
type Kind string

const (
	Note        Kind = "note"        // what somebody saved
	Preference  Kind = "preference"  // how the user wants things done
	Decision    Kind = "decision"    // what was chosen, and why
	Fix         Kind = "fix"         // what failed, and what ended it: contextd's remediation
	Command     Kind = "command"     // what worked after other forms had failed
	Experience  Kind = "experience"  // a resolved entry of the journal
	Value       Kind = "value"       // what several experiences agree on
	Session     Kind = "session"     // goal and end of one session
	Checkpoint  Kind = "checkpoint"  // where work stood when somebody saved it
	Remediation Kind = "remediation" // a fix that was recorded with its problem and its cause
)

// A Trust says how a memory came about, and so who may be told of it without having asked.
type Trust string

const (
	Said     Trust = "said"     // in the user's own words
	Saved    Trust = "saved"    // by a tool or a command
	Observed Trust = "observed" // derived from what hooks saw, by rules
	Drafted  Trust = "drafted"  // written by a model in the background: found when asked for, never told at a prompt
)

// NoOrigin is the origin of what an event has taught that has no id.
const NoOrigin = "-"

// A Scope says whom a memory is for.
type Scope string

const (
	ForProject Scope = "project" // its project
	ForUser    Scope = "user"    // all projects of the user
	ForTeam    Scope = "team"    // everybody who shares the team's database
)

// An Outcome is how what a memory tells of ended.
type Outcome string

const (
	Unknown   Outcome = ""
	Success   Outcome = "success"
	Failure   Outcome = "failure"
	Abandoned Outcome = "abandoned"
)

const (
	MaxGist    = 240  // characters
	MaxContent = 4000 // characters
)

// A Project is a repository with all its worktrees, or a directory that is in none.
type Project struct {
	Key  string // the first 16 hexadecimal digits of SHA-256 of its resolved path
	Name string // for reading only: two projects may have the same
	Path string // resolved; of the Git common directory's parent, else of the directory with .tidepool
}

// A Memory is one that is kept.
type Memory struct {
	N            uint32 // its number in the store and in the index
	ID           string // "mem_" and 12 hexadecimal digits
	Project      Project
	Scope        Scope
	Kind         Kind
	Trust        Trust
	Gist         string // one line of at most MaxGist characters: what a prompt is shown
	Content      string // at most MaxContent characters
	Outcome      Outcome
	Session      string // that it was learned in; "": none
	Turn         int    // its place there; neighbours have neighbouring numbers
	Author       string // who saved it for the team; "": it is a memory of this user
	Source       string // "user prompt", "memory_save", "hook PostToolUse Bash", "import", "model NAME"
	Commit       string // at which it was true; "": unknown
	Tags, Files  []string
	Alpha, Beta  float64 // what feedback said, from 1 and 1: Alpha/(Alpha+Beta) is how much it is believed
	SupersededBy string  // the id of the memory that took its place; "": none
	Created      time.Time
	Updated      time.Time
}

// A Draft is a memory before it is kept. Secrets are removed from it, and it is cut to its limits, by whoever keeps it.
type Draft struct {
	Scope      Scope  // "": ForProject
	Kind       Kind   // "": Note
	Trust      Trust  // "": Observed
	Gist       string // "": the first line of Content
	Content    string
	Outcome    Outcome
	Session    string
	Turn       int
	Source     string
	Origin     string // the id of the session's event that has taught it, NoOrigin; "": nobody compares events
	Late       bool   // it is from a transcript, so that a hook may have taught it before
	Commit     string
	Tags       []string
	Files      []string
	Supersedes string    // the id of the memory whose place it takes; "": none
	Replaces   bool      // it takes the place of its kind's memory of the same session, which grew
	Twice      bool      // it may be told only once it was learned a second time
	At         time.Time // zero: now
}
