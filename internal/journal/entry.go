package journal

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"
)

// Limits of an entry's texts, in characters, and of its lists.
const (
	MaxText   = 1000 // goal, hypothesis, action, prediction
	MaxLong   = 2000 // note, result, surprise, description of a cause, lesson, reason
	mostPast  = 100  // former suppositions; the oldest are dropped, and Iterations counts on
	mostNotes = 100  // notes; the oldest are dropped
)

// A State says whether an entry is active, or how it was resolved.
type State string

const (
	Active    State = "active"
	Confirmed State = "confirmed"
	Falsified State = "falsified"
	Abandoned State = "abandoned"
)

// A Tier says how much a resolved entry is worth as evidence. The zero value is that of an active one.
type Tier string

const (
	Gold          Tier = "gold"      // a hook saw the outcome
	Silver        Tier = "silver"    // the agent reported it
	Bronze        Tier = "bronze"    // of poor quality; read from other programs' entries, never given
	AbandonedTier Tier = "abandoned" // there is none
)

// An Owner is the conversation that an entry belongs to.
type Owner struct {
	Session string // "": unknown. All unknown sessions of a project are one
	Agent   string // a subagent's id; "": the session's own conversation
}

// named returns an owner as it is stored. An unknown session has a name that no other project uses, because the database has the sessions
// of all projects.
func (j *Journal) named(o Owner) Owner {
	if o.Session == "" {
		o.Session = "unknown-" + j.options.Project.Key
	}
	return o
}

// A Supposition is what an agent thinks, does about it, and expects to see.
type Supposition struct {
	Hypothesis string `json:"hypothesis"`
	Action     string `json:"action"`
	Prediction string `json:"prediction"`
}

// A Past is a supposition that another one has replaced.
type Past struct {
	At time.Time `json:"timestamp"`
	Supposition
}

// An Entry is one piece of work.
type Entry struct {
	ID       string    `json:"id"` // "ghap_YYYYMMDD_HHMMSS_" in UTC, and six hexadecimal digits
	Session  string    `json:"session_id"`
	Agent    string    `json:"agent_id,omitempty"`
	Created  time.Time `json:"created_at"`
	Seen     time.Time `json:"seen_at"` // when its owner was last known to work on it, to ten tool calls
	Domain   string    `json:"domain"`
	Strategy string    `json:"strategy"`
	Goal     string    `json:"goal"`
	Supposition
	History    []Past     `json:"history"`
	Iterations int        `json:"iteration_count"` // from 1
	Notes      []string   `json:"notes"`
	Captured   *Captured  `json:"captured,omitempty"` // since the supposition last changed
	Outcome    *Outcome   `json:"outcome,omitempty"`  // nil: active
	Surprise   string     `json:"surprise,omitempty"`
	RootCause  *RootCause `json:"root_cause,omitempty"`
	Lesson     *Lesson    `json:"lesson,omitempty"`
	Tier       Tier       `json:"confidence_tier,omitempty"`
	Unsaved    bool       `json:"unsaved,omitempty"` // it is resolved, and not yet a memory
}

// A Captured is the last result of tests or a build that a hook saw.
type Captured struct {
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"` // "test", "build"
	Program string    `json:"program"`
	Passed  bool      `json:"passed"`
}

// An Outcome is how an entry was resolved.
type Outcome struct {
	Status       State     `json:"status"`
	Result       string    `json:"result"`
	At           time.Time `json:"captured_at"`
	AutoCaptured bool      `json:"auto_captured"` // a hook has seen it
}

// A RootCause is why a prediction was wrong.
type RootCause struct {
	Category    string `json:"category"`
	Description string `json:"description"`
}

// A Lesson is what was learned.
type Lesson struct {
	WhatWorked string `json:"what_worked"`
	Takeaway   string `json:"takeaway,omitempty"`
}

// State returns whether the entry is active, or how it was resolved.
func (e *Entry) State() State {
	if e.Outcome == nil {
		return Active
	}
	return e.Outcome.Status
}

func (e *Entry) owner() Owner { return Owner{e.Session, e.Agent} }

// newID returns an entry's id.
func newID(now time.Time) string {
	var random [3]byte
	_, _ = rand.Read(random[:]) // never fails
	return "ghap_" + now.UTC().Format("20060102_150405") + "_" + hex.EncodeToString(random[:])
}

// Domains returns what work may be about.
func Domains() []string {
	return []string{"debugging", "refactoring", "feature", "testing", "configuration", "documentation", "performance", "security", "integration"}
}

// Strategies returns how a problem may be approached.
func Strategies() []string {
	return []string{
		"systematic-elimination", "trial-and-error", "research-first", "divide-and-conquer", "root-cause-analysis", "copy-from-similar",
		"check-assumptions", "read-the-error", "ask-user",
	}
}

// Causes returns the categories of root causes.
func Causes() []string {
	return []string{
		"wrong-assumption", "missing-knowledge", "oversight", "environment-issue", "misleading-symptom", "incomplete-fix", "wrong-scope",
		"test-isolation", "timing-issue",
	}
}

// last returns at most the last n elements.
func last[T any](all []T, n int) []T {
	return slices.Clone(all[max(0, len(all)-n):])
}
