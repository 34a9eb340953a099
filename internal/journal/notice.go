package journal

import (
	"context"
	"fmt"
	"time"

	"tidepool/internal/outcome"
	"tidepool/internal/wording"
)

// Limits of notices.
const (
	calls      = 10   // tool calls after which a conversation is asked to look at its hypothesis
	mostOwners = 1024 // conversations that are counted; beyond, all begin anew
	mostField  = 85   // characters of a field of a check-in, of which there are three
	mostQuoted = 220  // characters of a prediction that is quoted
)

// A callCount is how many tools a conversation has called since it looked at its entry.
type callCount struct {
	calls int
	told  string // the last result that it was told of, and of which supposition
}

// countOf returns the one of a conversation. mu is held.
func (j *Journal) countOf(o Owner) *callCount {
	c := j.counts[o]
	if c == nil {
		if len(j.counts) >= mostOwners {
			clear(j.counts)
		}
		c = &callCount{}
		j.counts[o] = c
	}
	return c
}

// looked notes that a conversation has looked at its entry.
func (j *Journal) looked(o Owner) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.countOf(o).calls = 0
}

// Calls adds to the tool calls since a conversation last looked at its entry, and returns how many there are: for a client that counts
// itself.
func (j *Journal) Calls(o Owner, more int) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.countOf(j.named(o))
	c.calls += more
	return c.calls
}

// Look notes that a conversation has looked at its entry.
func (j *Journal) Look(o Owner) { j.looked(j.named(o)) }

// Count counts a tool call. After the tenth since a conversation last looked at its entry it returns the check-in; "" if there is
// none due, or no active entry.
func (j *Journal) Count(ctx context.Context, o Owner) string {
	o = j.named(o)
	if !j.due(o) {
		return ""
	}
	e, err := j.find(ctx, o)
	if err != nil || e == nil {
		return ""
	}
	seen := j.now() // the write may come later
	j.later(o, func(e *Entry) { e.Seen = seen })
	return fmt.Sprintf("tidepool: %d tool calls since the last look at your hypothesis.\nGoal: %s\nHypothesis: %s\nPrediction: %s\nIf it no longer holds, update_ghap.",
		calls, field(e.Goal), field(e.Hypothesis), field(e.Prediction))
}

// due counts a call, and reports whether it is the tenth.
func (j *Journal) due(o Owner) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.countOf(o)
	if c.calls++; c.calls < calls {
		return false
	}
	c.calls = 0
	return true
}

// Observe takes a result of tests or a build. If it says something about the conversation's active entry, it is kept there, and the
// text returned says so; "" if not, and for a result that the conversation was told before.
func (j *Journal) Observe(ctx context.Context, o Owner, r outcome.Result) string {
	o = j.named(o)
	if !r.Known || r.Kind == "" {
		return ""
	}
	e, err := j.find(ctx, o)
	if err != nil || e == nil || !concerns(e.Prediction, r.Kind) {
		return ""
	}
	seen := &Captured{At: j.now(), Kind: r.Kind, Program: r.Program, Passed: r.Passed}
	j.later(o, func(now *Entry) {
		if now.ID == e.ID && now.Iterations == e.Iterations {
			now.Captured, now.Seen = seen, seen.At
		}
	})
	if !j.isNew(o, fmt.Sprint(e.ID, e.Iterations, r.Kind, r.Passed)) {
		return ""
	}
	return settles(e.Prediction, seen)
}

// isNew reports whether a conversation is told of a result for the first time in a row.
func (j *Journal) isNew(o Owner, result string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := j.countOf(o)
	was := c.told
	c.told = result
	return was != result
}

// settles says what a result means for a prediction.
func settles(prediction string, c *Captured) string {
	what, how := "the tests", "failed"
	if c.Kind == "build" {
		what = "the build"
	}
	if c.Passed {
		how = "passed"
	}
	quoted := wording.Stored(prediction, mostQuoted)
	expects := expected(prediction)
	switch {
	case c.Passed && expects == success, !c.Passed && expects == failure:
		return fmt.Sprintf("tidepool: %s %s, as you predicted: \"%s\". resolve_ghap(status: \"confirmed\") if this settles it.", what, how, quoted)
	case c.Passed && expects == unsaid:
		return fmt.Sprintf("tidepool: %s %s; you predicted: \"%s\". resolve_ghap(status: \"confirmed\") if this settles it.", what, how, quoted)
	}
	return fmt.Sprintf("tidepool: %s %s; you predicted: \"%s\". If that settles it, resolve_ghap(status: \"falsified\") with what surprised you and why.",
		what, how, quoted)
}

// Greeting returns what a conversation should know when it begins or goes on: its own active entry, else the newest orphan of the
// project; "" if there is neither.
func (j *Journal) Greeting(ctx context.Context, o Owner) string {
	o = j.named(o)
	own, err := j.find(ctx, o)
	if err != nil {
		return ""
	}
	if own != nil {
		j.looked(o)
		return fmt.Sprintf("tidepool: your active entry of the journal.\nGoal: %s\nHypothesis: %s\nPrediction: %s\nupdate_ghap or resolve_ghap.",
			field(own.Goal), field(own.Hypothesis), field(own.Prediction))
	}
	orphans, err := j.Orphans(ctx, o, 1)
	if err != nil || len(orphans) == 0 {
		return ""
	}
	e := orphans[0]
	return fmt.Sprintf("tidepool: an unfinished entry of another session.\nGoal: %s\nHypothesis: %s\nadopt_ghap(%q) or abandon_ghap(%q, reason).",
		field(e.Goal), field(e.Hypothesis), e.ID, e.ID)
}

// field returns a text of an entry for a notice.
func field(text string) string { return wording.Stored(text, mostField) }

func (j *Journal) now() time.Time {
	return j.options.Now().UTC().Truncate(time.Millisecond)
}
