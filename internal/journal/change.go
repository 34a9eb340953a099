package journal

import (
	"slices"
	"time"
)

// A Start is what an entry begins with. All of it is required, at most MaxText characters each.
type Start struct {
	Domain   string // one of Domains
	Strategy string // one of Strategies
	Goal     string
	Supposition
}

// checked returns the start with clean texts.
func (s Start) checked(scrub Scrubber) (Start, error) {
	c := check{scrub: scrub}
	clean := Start{
		Domain: c.one("domain", s.Domain, Domains()), Strategy: c.one("strategy", s.Strategy, Strategies()),
		Goal: c.text("goal", s.Goal, MaxText),
		Supposition: Supposition{
			c.text("hypothesis", s.Hypothesis, MaxText), c.text("action", s.Action, MaxText), c.text("prediction", s.Prediction, MaxText),
		},
	}
	return clean, c.err()
}

func (s Start) entry(o Owner, now time.Time) *Entry {
	return &Entry{
		ID: newID(now), Session: o.Session, Agent: o.Agent, Created: now, Seen: now,
		Domain: s.Domain, Strategy: s.Strategy, Goal: s.Goal, Supposition: s.Supposition, History: []Past{}, Iterations: 1, Notes: []string{},
	}
}

// An Update is what changes of an active entry. Empty fields stay as they are.
type Update struct {
	Supposition
	Strategy string // one of Strategies
	Note     string // is added; at most MaxLong characters
}

// checked returns the update with clean texts.
func (u Update) checked(scrub Scrubber) (Update, error) {
	c := check{scrub: scrub}
	clean := Update{
		Supposition: Supposition{
			c.optional("hypothesis", u.Hypothesis, MaxText), c.optional("action", u.Action, MaxText), c.optional("prediction", u.Prediction, MaxText),
		},
		Note: c.optional("note", u.Note, MaxLong),
	}
	if u.Strategy != "" {
		clean.Strategy = c.one("strategy", u.Strategy, Strategies())
	}
	if clean == (Update{}) {
		c.problem("nothing to update: give a hypothesis, an action, a prediction, a strategy or a note")
	}
	return clean, c.err()
}

// update applies an update. Only a supposition that differs from the one before counts as another iteration; what tests have shown was
// about the one before.
func (e *Entry) update(u Update, now time.Time) {
	next := e.Supposition
	replace(&next.Hypothesis, u.Hypothesis)
	replace(&next.Action, u.Action)
	replace(&next.Prediction, u.Prediction)
	if next != e.Supposition {
		e.History = last(append(e.History, Past{now, e.Supposition}), mostPast)
		e.Supposition, e.Captured = next, nil
		e.Iterations++
	}
	replace(&e.Strategy, u.Strategy)
	if u.Note != "" {
		e.Notes = last(append(e.Notes, u.Note), mostNotes)
	}
	e.Seen = now
}

func replace(old *string, by string) {
	if by != "" {
		*old = by
	}
}

// A Resolution is how an entry ended.
type Resolution struct {
	Status    State      // Confirmed, Falsified, Abandoned
	Result    string     // what was seen; required
	Surprise  string     // required if falsified
	RootCause *RootCause // required if falsified
	Lesson    *Lesson    // nil: none
}

// checked returns the resolution with clean texts.
func (r Resolution) checked(scrub Scrubber) (Resolution, error) {
	c := check{scrub: scrub}
	clean := Resolution{Status: r.Status, Result: c.text("result", r.Result, MaxLong), Surprise: c.optional("surprise", r.Surprise, MaxLong)}
	if !slices.Contains([]State{Confirmed, Falsified, Abandoned}, r.Status) {
		c.problem("status must be one of confirmed, falsified, abandoned")
	}
	if r.Status == Falsified && clean.Surprise == "" {
		c.problem("surprise is required if the status is falsified")
	}
	if r.Status == Falsified && r.RootCause == nil {
		c.problem("root_cause is required if the status is falsified")
	}
	if r.RootCause != nil {
		clean.RootCause = &RootCause{
			c.one("root_cause.category", r.RootCause.Category, Causes()), c.text("root_cause.description", r.RootCause.Description, MaxLong),
		}
	}
	if r.Lesson != nil {
		clean.Lesson = &Lesson{c.text("lesson.what_worked", r.Lesson.WhatWorked, MaxLong), c.optional("lesson.takeaway", r.Lesson.Takeaway, MaxLong)}
	}
	return clean, c.err()
}

// resolve ends an entry.
func (e *Entry) resolve(r Resolution, now time.Time) {
	auto := e.Captured != nil && e.Captured.shows(r.Status, e.Prediction)
	e.Outcome = &Outcome{Status: r.Status, Result: r.Result, At: now, AutoCaptured: auto}
	e.Surprise, e.RootCause, e.Lesson = r.Surprise, r.RootCause, r.Lesson
	e.Seen, e.Unsaved = now, true
	switch {
	case r.Status == Abandoned:
		e.Tier = AbandonedTier
	case auto:
		e.Tier = Gold
	default:
		e.Tier = Silver
	}
}
