package conversation

import (
	"context"

	"tidepool/internal/conversation/store"
)

// Forget removes a session for good, with all that was said in it and with copies of that in other sessions; it is never read again. It
// returns how many turns there were. The transcript is Claude Code's, and stays. Errors: *SessionError.
func (a *Archive) Forget(ctx context.Context, session string) (removed int, err error) {
	s, err := a.open(ctx)
	if err != nil {
		return 0, err
	}
	if s == nil {
		return 0, &SessionError{Asked: asked(session)}
	}
	one, err := a.session(ctx, s, session)
	if err != nil {
		return 0, err
	}
	return a.forget(ctx, func(s *store.Store) (int, error) { return s.Forget(ctx, one, a.options.now()) })
}

// ForgetAll forgets all sessions of the project, as Forget does. It returns how many turns they had.
func (a *Archive) ForgetAll(ctx context.Context) (removed int, err error) {
	return a.forget(ctx, func(s *store.Store) (int, error) { return s.ForgetAll(ctx, a.options.now()) })
}

func (a *Archive) forget(ctx context.Context, do func(*store.Store) (int, error)) (removed int, err error) {
	err = a.write(ctx, func(s *store.Store) error {
		removed, err = do(s)
		return err
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loaded.index != nil {
		a.drop() // without a snapshot: it has the words
	}
	return removed, err
}
