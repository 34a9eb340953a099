package journal

import (
	"cmp"
	"strings"

	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// Limits of the parts of an experience, in characters. All parts together fit into a memory.
const (
	mostGoalInGist = 110
	mostEndInGist  = 110
	mostPart       = 450
)

// Draft returns a resolved entry as a memory of kind experience. Its tags are the entry's id, domain, strategy and tier, each behind its
// name and a colon, as in "domain:testing".
func (e *Entry) Draft() memory.Draft {
	d := memory.Draft{
		Kind: memory.Experience, Trust: memory.Saved, Gist: e.gist(), Content: e.text(), Outcome: e.outcome(), Session: e.Session,
		Source: "resolve_ghap", At: e.Outcome.At,
		Tags: []string{"ghap:" + e.ID, "domain:" + e.Domain, "strategy:" + e.Strategy, "tier:" + string(e.Tier)},
	}
	if e.RootCause != nil {
		d.Tags = append(d.Tags, "cause:"+e.RootCause.Category)
	}
	return d
}

// gist is the goal, how it ended, and what is worth most of the rest.
func (e *Entry) gist() string {
	end := e.Outcome.Result
	if e.Lesson != nil {
		end = cmp.Or(e.Lesson.Takeaway, e.Lesson.WhatWorked)
	}
	return wording.Line(e.Goal, mostGoalInGist) + " (" + string(e.Outcome.Status) + "): " + wording.Line(end, mostEndInGist)
}

// text is all that is worth finding again, a part on each line.
func (e *Entry) text() string {
	var b strings.Builder
	part := func(name, text string) {
		if text != "" {
			b.WriteString(name + ": " + wording.Line(text, mostPart) + "\n")
		}
	}
	part("Goal", e.Goal)
	part("Hypothesis", e.Hypothesis)
	part("Action", e.Action)
	part("Prediction", e.Prediction)
	part("Outcome", string(e.Outcome.Status)+" - "+e.Outcome.Result)
	part("Surprise", e.Surprise)
	if e.RootCause != nil {
		part("Root cause", e.RootCause.Category+": "+e.RootCause.Description)
	}
	if e.Lesson != nil {
		part("What worked", e.Lesson.WhatWorked)
		part("Lesson", e.Lesson.Takeaway)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *Entry) outcome() memory.Outcome {
	switch e.Outcome.Status {
	case Confirmed:
		return memory.Success
	case Falsified:
		return memory.Failure
	}
	return memory.Abandoned
}
