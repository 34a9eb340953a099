package tools

import (
	"context"

	"tidepool/internal/session"
	"tidepool/protocol"
)

// A Call is what a tool may need of its call beside the arguments. The zero value is nobody's: it is about the project's
// directory, and nobody is told anything while it runs.
type Call struct {
	Tool   string               // the tool's name
	Caller session.Conversation // a directory of "" is the project's
	Client string               // name and version of the MCP client; "" is unknown

	// Progress is told how far the call is, one thing at a time; it must not block. nil: nobody asked.
	Progress func(Progress)
	// Show shows a question in the caller's own dialog; nil: it has none.
	Show func(protocol.Question)
	// Await is told that the call waits for a person, until release: under waiting, which may end before ctx does; nil:
	// nobody wants to know.
	Await func(ctx context.Context) (waiting context.Context, release func())
}

// Progress is how far a call is.
type Progress struct {
	Done    float64 // in the tool's own unit; never decreases within a call
	Total   float64 // 0: unknown
	Message string  // one line for a person
}

// Report tells the caller how far the call is; nothing happens if nobody asked.
func (c Call) Report(p Progress) {
	if c.Progress != nil {
		c.Progress(p)
	}
}
