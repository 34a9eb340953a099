package mcpfeature

import (
	"context"
	"time"

	"tidepool/protocol"
)

// A Source lists what there is of one kind: memories, sessions, symbols.
type Source interface {
	// List returns what a query selects. It must return soon after ctx ends. Texts of its Items may be foreign.
	List(ctx context.Context, q Query) (Found, error)
}

// A Query selects Items.
type Query struct {
	Caller *protocol.CallMeta // who asks; nil: unknown
	Text   string             // what is being typed; "": all
	Limit  int                // Items at most
}

// A Found is the answer to a Query.
type Found struct {
	Items []Item // the latest or the best first
	Total int    // that the query selects, listed or not
	Lacks string // why there may be others, on one line; "": there are none
}

// An Item is one of what there is.
type Item struct {
	ID    string
	Title string    // on one line
	About string    // further facts, on one line
	At    time.Time // when it changed last; zero: unknown
	Parts int       // into which it can be read by their numbers, from 0; 0: none
}

// A Reader runs a tool that only reads, as if the caller had called it.
type Reader interface {
	// Read returns the tool's text. The error is a *NotFoundError if there is nothing under that name, and may be a *protocol.Error.
	Read(ctx context.Context, caller *protocol.CallMeta, tool string, arguments map[string]any) (string, error)
}

// A NotFoundError means that there is no such resource for this caller.
type NotFoundError struct{ Err error }

func (e *NotFoundError) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *NotFoundError) Unwrap() error { return e.Err }
