package lsp

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp/internal/session"
)

// A State says how much of the truth an answer holds.
type State = session.State

// The states, from the best to the worst.
const (
	Complete = session.Complete
	Partial  = session.Partial
	Unknown  = session.Unknown
	Indexing = session.Indexing
)

// ServerCompleteness is the Completeness of one language server.
type ServerCompleteness = session.ServerCompleteness

// Completeness says how much an answer may be trusted to be all there is.
type Completeness struct {
	State         State                `json:"state"` // the worst of Servers
	Servers       []ServerCompleteness `json:"servers"`
	UnsyncedFiles int                  `json:"unsynced_files"`   // source files too many to follow on the disk; 0: none
	Reason        string               `json:"reason,omitempty"` // one line, for a person: why not complete
}

// sum returns the completeness of several servers together.
func sum(servers []ServerCompleteness, unsynced int) Completeness {
	c := Completeness{State: Complete, Servers: servers, UnsyncedFiles: unsynced}
	if len(servers) == 0 {
		c.State, c.Reason = Unknown, "no language server knows the project"
		return c
	}
	var reasons []string
	for _, s := range servers {
		if s.State.Rank() > c.State.Rank() {
			c.State = s.State
		}
		if s.Reason != "" {
			reasons = append(reasons, s.Reason)
		}
	}
	if unsynced > 0 {
		reasons = append(reasons, fmt.Sprintf("%d source files are too many to follow on the disk", unsynced))
		if c.State == Complete {
			c.State = Partial
		}
	}
	c.Reason = strings.Join(reasons, "; ")
	return c
}

// worse returns the worse of two, and of two alike the later one, b.
func worse(a, b Completeness) Completeness {
	if a.State.Rank() > b.State.Rank() {
		return a
	}
	return b
}

// looksLike reports whether a person would see no difference.
func (c Completeness) looksLike(other Completeness) bool {
	return c.State == other.State && slices.EqualFunc(c.Servers, other.Servers, func(a, b ServerCompleteness) bool {
		return a.Language == b.Language && a.State == b.State && a.Done == b.Done && a.Reason == b.Reason
	})
}

// lacking is c for an answer that for these reasons is no more than partial.
func (c Completeness) lacking(reasons []string) Completeness {
	if len(reasons) == 0 {
		return c
	}
	if c.State == Complete {
		c.State = Partial
	}
	if c.Reason != "" {
		reasons = append([]string{c.Reason}, reasons...)
	}
	c.Reason = strings.Join(reasons, "; ")
	return c
}
