package team

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// An answer is the result of a request.
type answer[T any] struct {
	value T
	err   error
}

// request runs do, which asks the server, and returns its result. A context that ends first ends the wait and not the request: that goes
// on until it has succeeded, failed or taken answerTimeout, so that the breaker knows how the server does. Errors: *AwayError,
// *LateError, *RefusedError, *NewerError.
func request[T any](ctx context.Context, t *Team, do func(context.Context) (T, error)) (T, error) {
	var nothing T
	if err := t.takeSlot(ctx); err != nil {
		return nothing, err
	}
	done := make(chan answer[T], 1)
	err := t.start(func(ctx context.Context) {
		var a answer[T]
		if a.err = t.prepare(ctx); a.err == nil {
			a.value, a.err = do(ctx)
		}
		t.breaker.leave(a.err)
		done <- a
	})
	if err != nil {
		<-t.slots
		return nothing, err
	}
	select {
	case a := <-done:
		return a.value, t.explain(a.err)
	case <-ctx.Done():
		return nothing, &LateError{t.name}
	}
}

// takeSlot waits until one more request may run. A free slot is taken even if the context has ended.
func (t *Team) takeSlot(ctx context.Context) error {
	select {
	case t.slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case t.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &LateError{t.name}
	}
}

// start runs do in a goroutine that gives its slot back, unless the breaker is open.
func (t *Team) start(do func(context.Context)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.life.Err() != nil {
		return errors.New("the team's database is closed")
	}
	if err := t.breaker.enter(); err != nil {
		return err
	}
	t.requests.Go(func() {
		defer func() { <-t.slots }()
		ctx, cancel := context.WithTimeout(t.life, answerTimeout)
		defer cancel()
		do(ctx)
	})
	return nil
}

// explain returns the error of a request in this package's terms.
func (t *Team) explain(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case isAway(err):
		return t.breaker.state()
	case errors.As(err, &refused):
		return &RefusedError{t.name, refused.Code}
	}
	return err
}
