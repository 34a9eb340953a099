package serve

import (
	"context"
	"errors"
	"strings"
	"sync"

	"tidepool/internal/ancestry"
	"tidepool/internal/ask"
	"tidepool/internal/hook"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// people tells persons from the processes of a model, and knows by which channels persons can answer now. It starts no
// goroutine.
type people struct {
	board    *ask.Board
	sessions ancestry.Sessions

	mu       sync.Mutex
	dialogs  map[string]ancestry.Process // by the id of an open question: the client that shows it
	held     map[string]bool             // questions whose elicitation a hook holds
	watchers int                         // programs of persons that show every question
	left     chan struct{}               // closed when the last of them has gone; nil while there is none
}

func newPeople(board *ask.Board) *people {
	return &people{board: board, dialogs: map[string]ancestry.Process{}, held: map[string]bool{}}
}

// A modelError says that a model wants to answer, and where its user does.
type modelError struct{ *ancestry.ModelError }

// Hint says where a person answers.
func (e modelError) Hint() string {
	return e.ModelError.Hint() + "; agent ui there shows each question"
}

// check returns nil if the process behind ctx may be a person's.
func (p *people) check(ctx context.Context) error {
	pid := server.PeerPID(ctx)
	if pid == 0 {
		return &ancestry.UnseenError{Err: errors.New("the system does not tell its id")}
	}
	err := ancestry.Check(pid, &p.sessions)
	if refused, is := errors.AsType[*ancestry.ModelError](err); is {
		return modelError{refused}
	}
	return err
}

// Events are all, since any may be the first of a session.
func (*people) Events() []protocol.Event { return nil }

// Hook looks at a session whose first hook has come, and answers an elicitation that a person has answered elsewhere.
func (p *people) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	if e.First || e.Event == protocol.SessionStart {
		p.meet(ctx)
	}
	if e.Event == protocol.Elicitation {
		return hook.Answer{Output: p.elicitation(ctx, e.HookInput)}
	}
	return hook.Answer{}
}

// meet looks at the process of a hook, which names the session's Claude Code.
func (p *people) meet(ctx context.Context) {
	if pid := server.PeerPID(ctx); pid != 0 {
		p.sessions.Hook(pid)
	}
}

// show notes that a call's client is shown a question, until the call ends.
func (p *people) show(ctx context.Context, call *protocol.MCPToolCall, id string) {
	pid := server.PeerPID(ctx)
	client, err := ancestry.Find(pid)
	if !call.Elicit || err != nil {
		return // it has gone, or shows nothing
	}
	if call.Meta != nil && strings.HasPrefix(call.Meta.Client, "claude-code") {
		p.sessions.Client(pid)
	}
	p.mu.Lock()
	p.dialogs[id] = client
	p.mu.Unlock()
	if call.Stays {
		p.board.SetHome(id, ask.Dialog)
	}
	context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.dialogs, id)
	})
}

// shows reports whether the process behind ctx is the client that shows a question.
func (p *people) shows(ctx context.Context, id string) bool {
	now, err := ancestry.Find(server.PeerPID(ctx))
	p.mu.Lock()
	defer p.mu.Unlock()
	client, shown := p.dialogs[strings.TrimPrefix(id, "#")]
	return err == nil && shown && client == now
}

// watch counts the process behind ctx among those that show every question, until stop, if it may be a person's.
func (p *people) watch(ctx context.Context) (stop func()) {
	if p.check(ctx) != nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers++; p.watchers == 1 {
		p.left = make(chan struct{})
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.watchers--; p.watchers == 0 {
			close(p.left)
			p.left = nil
		}
	}
}

// watched returns a channel that is closed when nobody watches any more; nil: nobody does.
func (p *people) watched() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// A strangerError says that an answer comes from a dialog by another process than the one that shows it.
type strangerError struct{ id string }

func (e *strangerError) Error() string {
	return "the answer to question " + e.id + " is not from the client that shows it"
}

// Hint says who may answer.
func (e *strangerError) Hint() string {
	return "a person answers in that client, in agent ui or by agent answer"
}
