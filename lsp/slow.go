package lsp

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"
)

// defaultAnswer is how long a server that knows the project may take for one answer: pyright 1.1.414 takes most of a
// minute beside a source of 4.5 MB.
const defaultAnswer = time.Minute

// A SlowError says that a language server that knows the project has not answered in time, and was told to stop.
type SlowError struct {
	After time.Duration // what it had
}

// Error says how long it had.
func (e *SlowError) Error() string {
	return fmt.Sprintf("no answer within %v", e.After.Round(time.Millisecond))
}

// Unwrap says that a time is over.
func (e *SlowError) Unwrap() error { return context.DeadlineExceeded }

// Hint says what to do.
func (e *SlowError) Hint() string {
	return "ask again, as the server keeps what it has found out so far, or wait longer for it; " +
		"if it stays slow, leave large generated sources out of its project"
}

// inTime ends ctx with a *SlowError when the time for one answer is over, and so long before the end of ctx that there is
// time to answer without the server.
func (v *View) inTime(ctx context.Context) (bounded context.Context, cancel func()) {
	allowed := v.answer
	if end, limited := ctx.Deadline(); limited {
		left := time.Until(end)
		allowed = min(allowed, left-min(2*time.Second, left/10))
	}
	return context.WithTimeoutCause(ctx, allowed, &SlowError{After: allowed})
}

// hurried returns a context that, once hurry was called, ends with a *SlowError: with the View's budget, or after the
// grace if that is later. done must be called in the end.
func (v *View) hurried(ctx context.Context) (hurried context.Context, hurry, done func()) {
	hurried, end := context.WithCancelCause(ctx)
	began := time.Now()
	timer := time.AfterFunc(math.MaxInt64, func() { end(&SlowError{After: time.Since(began)}) })
	hurry = sync.OnceFunc(func() { timer.Reset(max(time.Until(v.deadline), v.project.grace)) })
	return hurried, hurry, func() {
		timer.Stop()
		end(nil)
	}
}
