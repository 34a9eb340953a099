package lsp

import (
	"fmt"
	"slices"
	"strings"
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

func (s State) rank() int {
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

// Completeness says how much an answer may be trusted to be all there is.
type Completeness struct {
	State         State                `json:"state"` // the worst of Servers
	Servers       []ServerCompleteness `json:"servers"`
	UnsyncedFiles int                  `json:"unsynced_files"`   // source files too many to follow on the disk; 0: none
	Reason        string               `json:"reason,omitempty"` // one line, for a person: why not complete
}

// ServerCompleteness is the same of one language server.
type ServerCompleteness struct {
	Language string    `json:"language"` // ID of the language
	State    State     `json:"state"`
	Done     int       `json:"done"`  // of Total, while indexing; both 0 if the server does not count
	Total    int       `json:"total"` // 100 where Done is a percentage
	Since    time.Time `json:"since"` // when it came into this state

	reason string
}

// lacking is c for answers that for this reason are no more than partial; "" changes nothing.
func (c ServerCompleteness) lacking(reason string) ServerCompleteness {
	if reason == "" {
		return c
	}
	if c.State == Complete {
		c.State = Partial
	}
	if c.reason != "" {
		reason = c.reason + "; " + reason
	}
	c.reason = reason
	return c
}

// sum is the completeness of several servers together.
func sum(servers []ServerCompleteness, unsynced int) Completeness {
	c := Completeness{State: Complete, Servers: servers, UnsyncedFiles: unsynced}
	if len(servers) == 0 {
		c.State, c.Reason = Unknown, "no language server knows the project"
		return c
	}
	var reasons []string
	for _, s := range servers {
		if s.State.rank() > c.State.rank() {
			c.State = s.State
		}
		if s.reason != "" {
			reasons = append(reasons, s.reason)
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
	if a.State.rank() > b.State.rank() {
		return a
	}
	return b
}

// looksLike says whether a person would see no difference.
func (c Completeness) looksLike(other Completeness) bool {
	return c.State == other.State && slices.EqualFunc(c.Servers, other.Servers, func(a, b ServerCompleteness) bool {
		return a.Language == b.Language && a.State == b.State && a.Done == b.Done && a.reason == b.reason
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
