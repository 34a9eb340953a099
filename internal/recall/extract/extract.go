// Package extract makes memories of what hooks report, by rules and without a model. It does no input or output.
//
// Each kind of memory has a rule in a file of its own. The rules read English. They prefer silence: what a rule is not sure of is no
// memory, or one that is told only once it was learned a second time.
//
// The rules read what a person typed, never what a program put into the prompt: own answers, reminders, attachments, code, logs and quotes
// are cut out first, and so is whatever stands between <private> and </private>.
package extract

import "time"

// A ToolUse is the use of a tool, after it ended.
type ToolUse struct {
	Name    string // "Bash", "Edit", "Write", …
	Command string // of a shell; "": it is none
	File    string // that the tool has written, absolute; "": none
	Output  string // what a command printed, to both streams
	Failed  bool   // the tool was reported as failed
	Exit    int    // the command's status; -1: it did not end by itself
	At      time.Time
}

// A Commit is one that was made in the conversation.
type Commit struct {
	Hash    string // whole or short; "": unknown
	Subject string
	Body    string
	At      time.Time
}

const (
	maxQuote      = 300 // characters of a sentence that is quoted
	maxDrafts     = 5   // memories of one prompt, and of one commit
	maxFiles      = 8   // that a memory names
	maxCommand    = 200 // characters of a command that a memory names
	sourcePrompt  = "user prompt"
	sourceBash    = "hook PostToolUse Bash"
	sourceCommit  = "git commit"
	sourceSession = "hooks of the session"
)
