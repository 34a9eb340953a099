package session

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// A State says how much of the truth an answer holds.
type State string

// The states, from the best to the worst.
const (
	Complete State = "complete" // all of it, as far as the server itself can tell
	Partial  State = "partial"  // something is known to be missing and waiting does not bring it; see Reason
	Unknown  State = "unknown"  // the server does not say
	Indexing State = "indexing" // a server is still at work; the same question may find more in a moment
)

func (s State) Rank() int {
	switch s {
	case Complete:
		return 0
	case Partial:
		return 1
	case Unknown:
		return 2
	}
	return 3
}

// ServerCompleteness is the same of one language server.
type ServerCompleteness struct {
	Language string    `json:"language"` // ID of the language
	State    State     `json:"state"`
	Done     int       `json:"done"`  // of Total, while indexing; both 0 if the server does not count
	Total    int       `json:"total"` // 100 where Done is a percentage
	Since    time.Time `json:"since"` // when it came into this state

	Reason string `json:"-"` // one line, for a person; "": none
}

// lacking is c for answers that for this reason are no more than partial; "" changes nothing.
func (c ServerCompleteness) lacking(reason string) ServerCompleteness {
	if reason == "" {
		return c
	}
	if c.State == Complete {
		c.State = Partial
	}
	if c.Reason != "" {
		reason = c.Reason + "; " + reason
	}
	c.Reason = reason
	return c
}

// A Part is what one tree sees of a server that serves several. The zero part is all of it.
type Part struct {
	Foreign  func(path string) bool   // says of a path that it lies in another checkout; nil: of none
	Relative func(path string) string // shortens a path for people
}

func (o Part) has(path string) bool { return o.Foreign == nil || !o.Foreign(path) }

func (p *Progress) stateLocked(of Part) State {
	switch {
	case p.language.Probe != nil:
		return p.probedState()
	case p.language.LoadTitle == "":
		return Unknown
	case p.loads == 0 || slices.ContainsFunc(p.unloaded(), of.has):
		return Indexing
	case p.failureIn(of) != "":
		return Partial
	case p.language.CheckTitle == "":
		return Unknown
	case p.doubts(of):
		return Indexing
	case p.trouble != "" || len(p.diagnostics.within(of)) > 0:
		return Partial
	}
	return Complete
}

// Settled reports whether the server says that it knows the whole project, or all of it that it can.
func (p *Progress) Settled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.stateLocked(Part{})
	return state == Complete || state == Partial
}

func (p *Progress) probedState() State {
	switch {
	case p.answered < p.asked || p.overlaid:
		return Indexing
	case p.failure != "":
		return Partial
	}
	return Complete
}

// unloaded returns the folders whose loading tasks have not ended.
func (p *Progress) unloaded() []string {
	folders := slices.Clone(p.awaited)
	for _, t := range p.running {
		if p.loading(t) {
			folders = append(folders, t.folder)
		}
	}
	return folders
}

// failureIn is why a folder of a part was not loaded, "" if all were.
func (p *Progress) failureIn(of Part) string {
	for _, folder := range slices.Sorted(maps.Keys(p.failures)) {
		if of.has(folder) {
			return p.failures[folder]
		}
	}
	return p.failure
}

// Completeness sums up what answers about a part are worth.
func (p *Progress) Completeness(of Part) ServerCompleteness {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := ServerCompleteness{Language: p.language.ID, State: p.stateLocked(of), Since: p.since}
	program := filepath.Base(p.language.Command[0])
	switch c.State {
	case Indexing:
		c.Reason = program + " is still loading the project"
		if p.loads > 0 && !slices.ContainsFunc(p.unloaded(), of.has) || p.answered > 0 {
			c.Reason = program + " is still checking what changed"
		}
		c.Done, c.Total = p.percent()
	case Unknown:
		c.Reason = program + " does not tell whether it knows the whole project"
	case Partial:
		c.Reason = program + " could not load the project: " + cmp.Or(p.failureIn(of), p.trouble)
		if p.failureIn(of) == "" && p.trouble == "" {
			c.Reason = p.diagnostics.within(of).describe(of.Relative)
		}
	}
	return c.lacking(p.lacks)
}

// Obstacle returns what keeps the server from looking at all of a part, "" if nothing does.
func (p *Progress) Obstacle(of Part) string {
	p.mu.Lock()
	state, lacks := p.stateLocked(of), p.failureIn(of) != "" || p.trouble != ""
	p.mu.Unlock()
	if lacks || state == Indexing {
		return p.Completeness(of).Reason
	}
	return ""
}

// percent returns the progress of the least advanced task that counts itself; 0 of 0 if none does.
func (p *Progress) percent() (done, total int) {
	for _, t := range p.running {
		if t.percent > 0 && (total == 0 || int(t.percent) < done) {
			done, total = int(t.percent), 100
		}
	}
	return done, total
}
