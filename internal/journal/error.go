package journal

import (
	"fmt"
	"strings"
)

// Every error of the journal has a Kind: its name on the wire of older clients.

// An InvalidError means that arguments break a rule of the journal. Nothing has changed.
type InvalidError struct{ Problems []string }

func (e *InvalidError) Error() string { return strings.Join(e.Problems, "; ") }

// Kind is the error's name on the wire.
func (*InvalidError) Kind() string { return "validation_error" }

// Hint says what to do.
func (*InvalidError) Hint() string { return "correct the arguments and call again" }

// A NotFoundError means that there is no entry to change.
type NotFoundError struct{ message, hint string }

func (e *NotFoundError) Error() string { return e.message }

// Kind is the error's name on the wire.
func (*NotFoundError) Kind() string { return "not_found" }

// Hint says what to do.
func (e *NotFoundError) Hint() string { return e.hint }

// An ActiveError means that a conversation has an active entry already.
type ActiveError struct{ ID string }

func (e *ActiveError) Error() string {
	return fmt.Sprintf("Active GHAP exists (id: %s). Resolve it first with resolve_ghap or abandon it.", e.ID)
}

// Kind is the error's name on the wire.
func (*ActiveError) Kind() string { return "active_ghap_exists" }

// Hint says what to do.
func (*ActiveError) Hint() string { return "get_active_ghap shows the active entry" }

// A TakenError means that an entry belongs to another conversation, which is at work.
type TakenError struct{ ID, Session, Agent string }

func (e *TakenError) Error() string {
	by := "session " + e.Session
	if e.Agent != "" {
		by += ", subagent " + e.Agent
	}
	return fmt.Sprintf("GHAP %s belongs to %s, which is at work", e.ID, by)
}

// Kind is the error's name on the wire.
func (*TakenError) Kind() string { return "taken" }

// Hint says what to do.
func (*TakenError) Hint() string { return "start_ghap begins an entry of your own" }

// A WithheldError means that a text could not be searched for secrets, so that nothing of it was kept.
type WithheldError struct{}

func (WithheldError) Error() string {
	return "nothing was kept: the search for secrets in the text failed or took too much work"
}

// Kind is the error's name on the wire.
func (WithheldError) Kind() string { return "internal_error" }

// Hint says what to do.
func (WithheldError) Hint() string { return "shorten the text and call again" }
