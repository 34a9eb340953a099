package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
)

// defaultAnswer is how long a server that knows the project may take for one answer: pyright 1.1.414 takes most of a
// minute beside a source of 4.5 MB.
const defaultAnswer = time.Minute

// A SlowError means that a language server that knows the project has not answered in time, and was told to stop.
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

// Unanswered reports whether an error means that a server has not answered in time: the answer lacks what was asked for, and
// the same question may have it in a moment.
func Unanswered(err error) bool {
	var starting *workspace.StartingError
	var slow *SlowError
	return errors.As(err, &starting) || errors.As(err, &slow)
}

// minOvertime is the least that servers have beyond a budget: a request that is made at its end still has an answer.
const minOvertime = 300 * time.Millisecond

// overtimeOf returns how much longer than a budget the requests of a View may take together: a thirtieth of it, or minOvertime if that
// is more, but no longer than the project's grace. What is left to do once they have ended takes 0.3 to 0.5 s in 6 million lines, beside a
// server that has every processor: an answer is no more than a tenth late.
func overtimeOf(budget, grace time.Duration) time.Duration {
	return min(grace, max(minOvertime, budget/30))
}

// hold keeps the View to the budget that its caller has asked for, also where a server knows the project.
func (v *View) hold(budget time.Duration) {
	v.answer = v.overtime
	if budget < 0 { // which says nothing of a server that needs no wait
		v.answer = min(v.project.answer, v.project.grace)
	}
}

// holdAll keeps all requests of the View together to its budget. Its servers have less time beyond that: who asks many questions has more
// left to do after the last.
func (v *View) holdAll() {
	v.overtime = v.overtime * 2 / 3
	v.answer, v.strict = v.overtime, true
}

// bound bounds one request. ctx ends with a *StartingError if a server that does not know the tree, or did not when the budget was
// spent, leaves it without an answer until the View's overtime is over, or for a tenth of the overtime if that is later: a server that
// is not stuck has said by then what it knows. It ends with a *SlowError if a server that knows the tree takes longer than that, and
// than it may for one answer. done must be called with the result of the request. A View does not ask again what was not answered:
// the next request ends at once.
func (v *View) bound(ctx context.Context, s *session.Session, method string) (bounded context.Context, done func(error)) {
	bounded, end := context.WithCancelCause(ctx)
	if err := v.timedOut.why(s, method); err != nil {
		end(err)
		return bounded, func(error) {}
	}
	said := s.Received()
	allowed := v.allowed(ctx)
	atWork := max(time.Until(v.deadline.Add(v.overtime)), v.overtime/10)
	slow := time.AfterFunc(allowed, func() {
		if allowed < atWork || !v.endAtWork(s, end) { // both timers may be due at once, and run in either order
			end(&SlowError{After: allowed})
		}
	})
	late := v.boundAtWork(s, atWork, end)
	return bounded, func(err error) {
		slow.Stop()
		late()
		if cause := context.Cause(bounded); err != nil && ctx.Err() == nil && cause != nil {
			if s.Received() == said && allowed >= v.answer { // less is the caller's haste, and says nothing of the server
				method = ""
			}
			v.timedOut.add(s, method, cause)
		}
		end(nil)
	}
}

// allowed returns how long a server that knows the tree may take for one answer, and so long before the end of ctx that there is
// time to answer without it.
func (v *View) allowed(ctx context.Context) time.Duration {
	left := time.Until(v.deadline.Add(v.overtime))
	allowed := max(v.answer, left)
	if v.strict { // one answer after the other would else come in time, each a little later
		allowed = max(left, 0)
	}
	if end, limited := ctx.Deadline(); limited {
		left := time.Until(end)
		allowed = min(allowed, left-min(2*time.Second, left/10))
	}
	return allowed
}

// Allow bounds what is asked of another program than a language server: by the time that a server which knows the tree has for one
// answer. The context ends with a *SlowError.
func (v *View) Allow(ctx context.Context) (context.Context, context.CancelFunc) {
	allowed := v.allowed(ctx)
	return context.WithTimeoutCause(ctx, allowed, &SlowError{After: allowed})
}

// boundAtWork returns the part of bound for a server that does not know the tree. stop must be called in the end.
func (v *View) boundAtWork(s *session.Session, allowed time.Duration, end context.CancelCauseFunc) (stop func()) {
	if !v.atWork(s) {
		return func() {}
	}
	timer := time.AfterFunc(allowed, func() { v.endAtWork(s, end) })
	return func() { timer.Stop() }
}

// endAtWork ends a request if its server does not know the tree, and reports whether it did.
func (v *View) endAtWork(s *session.Session, end context.CancelCauseFunc) bool {
	busy := v.atWork(s)
	if busy {
		end(&workspace.StartingError{Command: s.Program(), Reason: "is still at work"})
	}
	return busy
}

// atWork reports whether a server does not know the tree, or was waited for in vain: as the answer is one of a server at work
// then, a server that is ready a moment later has no more time than if it was not.
func (v *View) atWork(s *session.Session) bool {
	v.mu.Lock()
	late := slices.Contains(v.late, s)
	v.mu.Unlock()
	busy, _ := s.Progress.Indexing(v.part())
	return late || busy
}

// excuse turns what a server at work refuses, and may answer in a moment, into a *StartingError: clangd 14 to 19 says "invalid AST" of
// a document between the loss of its compile command and the next one. Other errors stay.
func (v *View) excuse(s *session.Session, err error) error {
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) && v.atWork(s) {
		return &workspace.StartingError{Command: s.Program(), Reason: fmt.Sprintf("says %q while it is at work", refusal.Message)}
	}
	return err
}

// leave takes note of a server that was waited for until the budget was spent.
func (v *View) leave(s *session.Session) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.patient && !slices.Contains(v.late, s) {
		v.late = append(v.late, s)
	}
}

// timedOut is what a View does not ask again because it was not answered in time: a method of a server, or all that server
// if nothing at all came from it in all the time that it may take. The zero value is ready.
type timedOut struct {
	mu      sync.Mutex
	reasons map[unanswered]error
}

// An unanswered is a method of a session; "" is all of them.
type unanswered struct {
	session *session.Session
	method  string
}

// why is the reason not to ask, nil if there is none.
func (n *timedOut) why(s *session.Session, method string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return cmp.Or(n.reasons[unanswered{session: s}], n.reasons[unanswered{s, method}])
}

// add takes note of a method that was not answered in time, "" of all.
func (n *timedOut) add(s *session.Session, method string, reason error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.reasons == nil {
		n.reasons = map[unanswered]error{}
	}
	n.reasons[unanswered{s, method}] = reason
}

// hurried returns a context that, once hurry was called, ends with a *SlowError: with the View's budget and overtime, or after
// the overtime if that is later. done must be called in the end.
func (v *View) hurried(ctx context.Context) (hurried context.Context, hurry, done func()) {
	hurried, end := context.WithCancelCause(ctx)
	began := time.Now()
	timer := time.AfterFunc(math.MaxInt64, func() { end(&SlowError{After: time.Since(began)}) })
	hurry = sync.OnceFunc(func() { timer.Reset(max(time.Until(v.deadline.Add(v.overtime)), v.overtime)) })
	return hurried, hurry, func() {
		timer.Stop()
		end(nil)
	}
}
