package tools

import (
	"context"

	"tidepool/protocol"
)

// Asking is what a tool needs of its caller to put a question to the user.
type Asking struct {
	From protocol.QuestionOrigin
	// Show shows it in the caller's own dialog, if it has one; never nil.
	Show func(protocol.Question)
	// Await is told that the call waits for a person, until release: under waiting, which may end before ctx does; never nil.
	Await func(ctx context.Context) (waiting context.Context, release func())
}

type askingKey struct{}

// WithAsking returns a context under which a tool's questions come from this caller.
func WithAsking(ctx context.Context, a Asking) context.Context {
	return context.WithValue(ctx, askingKey{}, a)
}

func askingOf(ctx context.Context) Asking {
	if a, ok := ctx.Value(askingKey{}).(Asking); ok {
		return a
	}
	return Asking{
		Show:  func(protocol.Question) {},
		Await: func(ctx context.Context) (context.Context, func()) { return ctx, func() {} },
	}
}
