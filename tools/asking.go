package tools

import (
	"context"

	"tidepool/protocol"
)

// Asking is what a tool needs of its caller to put a question to the user.
type Asking struct {
	From protocol.QuestionOrigin
	Show func(protocol.Question) // shows it in the caller's own dialog, if it has one; never nil
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
	return Asking{Show: func(protocol.Question) {}}
}
