package program

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// End ends a session that has begun. The result is how many memories come from it. The error is a *NotFoundError if there is no such
// session, and a *ClaimedError if it is one of Claude Code.
func (s *Sessions) End(ctx context.Context, id, outcome string, distill bool) (memories int, err error) {
	if s.options.Owner.Claims(ctx, id) {
		return 0, &ClaimedError{id}
	}
	if !s.begins(id) {
		return 0, &NotFoundError{id}
	}
	defer s.ended(id)
	return s.options.Owner.End(context.WithoutCancel(ctx), id, cmp.Or(outcome, "not said"), distill)
}

// begins takes a session away to end it, if it is known.
func (s *Sessions) begins(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	if s.known[id] == nil {
		return false
	}
	s.take(id)
	return true
}

// finish ends a session that was taken away. Nobody waits for the result, so a failure is logged. A session that Claude Code has claimed
// meanwhile is left to it.
func (s *Sessions) finish(id string) {
	defer s.ended(id)
	ctx, cancel := context.WithTimeout(context.Background(), endLimit)
	defer cancel()
	if s.options.Owner.Claims(ctx, id) {
		return
	}
	if _, err := s.options.Owner.End(ctx, id, "forgotten", true); err != nil {
		s.options.Log.Warn("a program's session was not ended", "session", id, "err", err)
	}
}

// Resume starts to end sessions that are idle, those of an earlier daemon among them.
func (s *Sessions) Resume() { s.watch.Go(s.expire) }

// Close ends what Resume has started, and waits for it. The sessions stay for the next daemon.
func (s *Sessions) Close() {
	s.stop()
	s.watch.Wait()
}

// expire ends idle sessions until Close.
func (s *Sessions) expire() {
	for s.quit.Err() == nil {
		over, wait := s.idle()
		for _, id := range over {
			s.finish(id)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.news:
		case <-s.quit.Done():
		}
		timer.Stop()
	}
}

// idle takes the sessions away that nobody has used for too long, and returns them and how long the next one has.
func (s *Sessions) idle() (over []string, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	now, wait := time.Now(), idleLimit
	for id, u := range s.known {
		if left := idleLimit - now.Sub(u.at); left > 0 {
			wait = min(wait, left)
			continue
		}
		s.take(id)
		over = append(over, id)
	}
	return over, wait
}

// wake lets the goroutine look at the sessions again.
func (s *Sessions) wake() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// A NotFoundError means that no session of that id has begun, or that it has ended.
type NotFoundError struct{ ID string }

func (e *NotFoundError) Error() string { return fmt.Sprintf("there is no session %q", e.ID) }

// IsNotFound tells this failure from others.
func (*NotFoundError) IsNotFound() bool { return true }

// Hint says why.
func (*NotFoundError) Hint() string {
	return "no call has named it, or it was ended, or nobody has used it for a day; session_start begins one"
}

// A ClaimedError means that a session is one of Claude Code, which ends it.
type ClaimedError struct{ ID string }

func (e *ClaimedError) Error() string {
	return fmt.Sprintf("%q is a session of Claude Code, which ends it itself", e.ID)
}

// Hint says what to end instead.
func (*ClaimedError) Hint() string {
	return "end a session that session_start has begun, or one of the program's own"
}
