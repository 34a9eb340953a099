package tools

import (
	"context"

	"tidepool/protocol"
)

// Asking is what a tool needs of its caller to put a question to the user.
type Asking struct {
	From protocol.QuestionOrigin
	// Show shows it in the caller's own dialog; nil: it has none.
	Show func(protocol.Question)
	// Await is told that the call waits for a person, until release: under waiting, which may end before ctx does; nil:
	// nobody wants to know.
	Await func(ctx context.Context) (waiting context.Context, release func())
}

type askingKey struct{}

// WithAsking returns a context under which a tool's questions come from this caller.
func WithAsking(ctx context.Context, a Asking) context.Context {
	return context.WithValue(ctx, askingKey{}, a)
}

// askingOf is the caller of a tool, with nothing nil.
func askingOf(ctx context.Context) Asking {
	a, _ := ctx.Value(askingKey{}).(Asking)
	if a.Show == nil {
		a.Show = func(protocol.Question) {}
	}
	if a.Await == nil {
		a.Await = func(ctx context.Context) (context.Context, func()) { return ctx, func() {} }
	}
	return a
}
