package policy

import (
	"sync"

	"tidepool/protocol"
)

// Counts are how often tool calls were checked, and what became of them.
type Counts struct {
	Checked    int64 // calls
	Matched    int64 // of those: calls that a policy or a rule matched
	Denied     int64
	Asked      int64
	Allowed    int64
	Told       int64 // texts that the model was told
	Overridden int64 // matches of policies that did not count because another one overrides them
}

// A counter counts for all policies together, and for each policy of a file by its level and its id. A policy keeps its counts when its file
// is read again. Its zero value is usable. Safe for concurrent use.
type counter struct {
	mu  sync.Mutex
	all Counts
	of  map[countKey]*Counts
}

// maxCounted bounds the policies that are counted one by one.
const maxCounted = 10_000

type countKey struct {
	level Level
	id    string
}

// note counts a judgement.
func (c *counter) note(j *Judgement) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all.Checked++
	if j.Settings.Rule > 0 || j.matches() {
		c.all.Matched++
	}
	c.all.decided(j.Verdict.Decision)
	for i := range j.Considered {
		p := &j.Considered[i]
		if p.State != InForce && p.State != Overridden && p.State != Unusable {
			continue
		}
		own := c.counts(p.Definition)
		own.Checked++
		if !p.Matches {
			continue
		}
		own.Matched++
		own.decided(p.Decides)
		if p.State == Overridden {
			own.Overridden++
			c.all.Overridden++
		}
	}
}

// matches reports whether a policy of a file counts and matches.
func (j *Judgement) matches() bool {
	for _, c := range j.Considered {
		if c.Matches && c.State != Overridden {
			return true
		}
	}
	return false
}

// told counts a policy that the model was told.
func (c *counter) told(d *Definition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all.Told++
	c.counts(d).Told++
}

// counts returns the counts of a policy. Callers hold mu.
func (c *counter) counts(d *Definition) *Counts {
	key := countKey{d.Level, d.ID}
	found := c.of[key]
	if found == nil {
		if c.of == nil || len(c.of) >= maxCounted {
			c.of = make(map[countKey]*Counts)
		}
		found = new(Counts)
		c.of[key] = found
	}
	return found
}

func (c *Counts) decided(p protocol.Permission) {
	switch p {
	case protocol.Deny:
		c.Denied++
	case protocol.Ask:
		c.Asked++
	case protocol.Allow:
		c.Allowed++
	}
}

// Counts returns the counts of all tool calls since the engine was made.
func (e *Engine) Counts() Counts {
	e.counter.mu.Lock()
	defer e.counter.mu.Unlock()
	return e.counter.all
}

// CountsOf returns the counts of one policy of a file since the engine was made.
func (e *Engine) CountsOf(d *Definition) Counts {
	e.counter.mu.Lock()
	defer e.counter.mu.Unlock()
	if found := e.counter.of[countKey{d.Level, d.ID}]; found != nil {
		return *found
	}
	return Counts{}
}
