package conversation

import (
	"fmt"

	"tidepool/internal/wording"
)

// A SessionError means that no session has the id, or that several begin with it.
type SessionError struct {
	Asked   string   // clipped to one line
	Nearest []string // ids that are like it, or that begin with it; at most 5
	Several bool     // they begin with it
}

func (e *SessionError) Error() string {
	if e.Several {
		return fmt.Sprintf("several sessions begin with %q", e.Asked)
	}
	return fmt.Sprintf("unknown session %q", e.Asked)
}

// Hint names the nearest sessions.
func (e *SessionError) Hint() string {
	if len(e.Nearest) == 0 {
		return "list the conversations to see which there are"
	}
	hint := "use one of "
	for i, id := range e.Nearest {
		if i > 0 {
			hint += ", "
		}
		hint += id
	}
	return hint
}

// A TurnError means that a session has no turn of that number.
type TurnError struct {
	Session string
	Asked   int
	Turns   int // that the session has
}

func (e *TurnError) Error() string {
	return fmt.Sprintf("turn %d is out of range: session %s has %s", e.Asked, e.Session, wording.Count(e.Turns, "turn"))
}

// Hint names the nearest turn.
func (e *TurnError) Hint() string {
	if e.Turns == 0 {
		return "nothing was said in this session"
	}
	return fmt.Sprintf("turns are counted from 0; the nearest is %d", e.Nearest())
}

// Nearest returns the number of the turn that is nearest to the one that was asked for.
func (e *TurnError) Nearest() int { return min(max(e.Asked, 0), max(e.Turns-1, 0)) }
