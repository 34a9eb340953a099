package server

import (
	"context"
	"encoding/json"

	"tidepool/protocol"
)

// Hooks answers hook events. It is called concurrently, must not keep the event's Input after it has returned, and
// shall return soon after ctx ends.
type Hooks interface {
	Hook(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse
}

// Tools are what a client may call. They are called concurrently.
type Tools interface {
	// List describes the tools, from memory.
	List() []protocol.ToolDefinition
	// Call runs a tool and shall return soon after ctx ends. The arguments may be kept. An error is sent with its code
	// if it is or wraps a *protocol.Error, as an internal one otherwise, and with its hint if it has a method
	// Hint() string.
	Call(ctx context.Context, call *protocol.MCPToolCall, caller Caller) (Result, error)
}

// A Caller is the client that has called a tool, while the call runs.
type Caller interface {
	// Progress tells how far the call is, if the client asked for it: done of total, 0 for an unknown total, and what
	// is being done.
	Progress(done, total float64, message string)
	// Show shows a question to the client's user, if the client said that it can.
	Show(q protocol.Question)
	// Await says that the call waits for a person from now on: it does not count among those that run at once any more.
	// The context ends with ctx, and when the daemon is told to stop: nobody could answer any more. Release ends it, too.
	// Only the goroutine of the call may say it.
	Await(ctx context.Context) (waiting context.Context, release func())
}

// Questions are what the user is asked.
type Questions interface {
	// List is all of them, from memory.
	List() []protocol.QuestionRecord
	// Answer takes a reply, or the news that a person can have seen a question, and returns what has become of it. An
	// error is sent as that of a tool. [PeerPID] says who answers.
	Answer(ctx context.Context, r *protocol.AnswerRequest) (protocol.QuestionRecord, error)
}

// A Feed tells what happens in the daemon.
type Feed interface {
	// Follow tells how things are, then what changes, until ctx ends.
	Follow(ctx context.Context, tell func(*protocol.Happening))
}

// A Result is what a tool has found: JSON for programs, and text for a model, which may be empty.
type Result struct {
	JSON json.RawMessage
	Text string
}

// Status tells how the daemon is. The server itself fills in what it counts: Clients, CallsInFlight and Calls.
type Status interface {
	// Status answers from memory unless waitReady is set: then when the language servers are ready, and at the
	// latest when ctx ends.
	Status(ctx context.Context, waitReady bool) *protocol.StatusResponse
}
