package hook

import (
	"context"

	"tidepool/protocol"
)

// A Contributor takes part in the answers to some events.
type Contributor interface {
	// Events are those that it is asked about; nil: all, also those whose names are not known.
	Events() []protocol.Event
	// Hook returns its part of the answer. It is called concurrently, and shall return soon after ctx ends.
	Hook(ctx context.Context, e *Event) Answer
}

// An Answer is what a contributor contributes. The zero value is nothing.
type Answer struct {
	Output  protocol.HookOutput // the decision, of the event's own type; nil: none
	Context string              // for the model to read; only some events have room for it
	Verdict                     // how the record describes Output
}

// A Verdict describes a decision. The zero value is none.
type Verdict struct {
	Decision string // deny, ask or allow
	Rule     int    // of the policy, from 1; 0: none decided
	Reason   string // of the decision, or why there could be none; may be empty
}

// A Part is a contributor in its place among the others.
type Part struct {
	Name string // in the log and in agent status
	Contributor
	Conduct Conduct
}

// A Conduct says on which goroutine a contributor runs, and what its failure costs.
type Conduct uint8

const (
	// Apart is on a goroutine of its own, for a contributor that may wait. It has nine tenths of the time that is left of
	// the hook's; the router goes on without one that has not answered soon after. A panic costs its own part.
	Apart Conduct = iota
	// Inline is on the hook's goroutine, for a contributor that answers from memory. A panic costs its own part.
	Inline
	// Deciding is on the hook's goroutine, with the hook's whole time: the contributor's failure is the hook's, and what
	// that means for the event is the client's mode.
	Deciding
)
