package server

import (
	"context"
	"encoding/json"

	"tidepool/protocol"
)

// Hooks answers hook events. It is called concurrently. It must not keep the event's Input after it has returned, and must
// return soon after ctx ends.
type Hooks interface {
	Hook(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse
}

// Tools are what a client may call. They are called concurrently.
type Tools interface {
	// List describes the tools, from memory.
	List() []protocol.ToolDefinition
	// Call runs a tool and must return soon after ctx ends. It may keep the arguments. An error that is or wraps a
	// *protocol.Error is sent with its code, any other as an internal one, with its hint if it has a method Hint() string.
	Call(ctx context.Context, call *protocol.MCPToolCall, caller Caller) (Result, error)
}

// A Caller is the client of a running tool call.
type Caller interface {
	// Progress sends how far the call is, if the client asked for it: done of total, 0 for an unknown total, and what is
	// being done.
	Progress(done, total float64, message string)
	// Show sends a question for the client's user, if the client can show one.
	Show(q protocol.Question)
	// Await declares that the call waits for a person from now on. It no longer counts among the calls that run at once.
	// The context that it returns ends with ctx, by release, and when the daemon is told to stop, since nobody can answer
	// then. Only the goroutine of the call may call it.
	Await(ctx context.Context) (waiting context.Context, release func())
}

// Features answer the requests of the Model Context Protocol that are about no tool: prompts, resources, completion. They are
// called concurrently.
type Features interface {
	// Request answers one of them with MCP's result. It must return soon after ctx ends, and may keep the params. An error is sent
	// as that of a tool.
	Request(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error)
}

// Questions lists and answers what the user is asked.
type Questions interface {
	// List returns all of them, from memory.
	List() []protocol.QuestionRecord
	// Answer records a reply, or that a person can have seen the question, and returns the question's new state. An error is
	// sent as that of a tool. [PeerPID] returns who answers.
	Answer(ctx context.Context, r *protocol.AnswerRequest) (protocol.QuestionRecord, error)
}

// A Scrubber takes the secrets out of a command's output.
type Scrubber interface {
	// Scrub answers one part of it. It must return soon after ctx ends, and keep nothing of the request. It does not fail: what it
	// cannot search it withholds.
	Scrub(ctx context.Context, r *protocol.ScrubText) *protocol.ScrubbedText
}

// A Feed reports what happens in the daemon.
type Feed interface {
	// Follow reports the present state, then each change, until ctx ends.
	Follow(ctx context.Context, tell func(*protocol.Happening))
}

// Messages report what attached clients may want to show.
type Messages interface {
	// Follow reports what holds now and then what happens, until ctx ends.
	Follow(ctx context.Context, tell func(*protocol.LogMessage))
}

// A Result is what a tool returns: JSON for programs, and text for a model, which may be empty.
type Result struct {
	JSON json.RawMessage
	Text string
}

// Status returns the state of the daemon. The server fills in what it counts itself: Clients, CallsInFlight and Calls.
type Status interface {
	// Status answers from memory. With WaitReady it waits until the language servers are ready, or ctx ends.
	Status(ctx context.Context, r *protocol.StatusRequest) *protocol.StatusResponse
}
