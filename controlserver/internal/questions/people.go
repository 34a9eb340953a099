package questions

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

// A Service gives clients of the socket and hooks access to the questions. It distinguishes persons from the processes of a model,
// and knows on which channels a person can answer now. It is safe for concurrent use and starts no goroutine.
type Service struct {
	store    *ask.Store
	sessions ancestry.Sessions

	mu       sync.Mutex
	dialogs  map[string]ancestry.Process // by the id of an open question: the client that shows it
	held     map[string]bool             // questions whose elicitation a hook holds
	watchers int                         // programs of persons that show every question
	left     chan struct{}               // closed when the last of them has gone; nil while there is none
}

// New returns a service for a store of questions.
func New(board *ask.Store) *Service {
	return &Service{store: board, dialogs: map[string]ancestry.Process{}, held: map[string]bool{}}
}

// A modelError means that a process of a model has tried to answer.
type modelError struct{ *ancestry.ModelError }

// Hint says where a person answers.
func (e modelError) Hint() string {
	return e.ModelError.Hint() + "; agent ui there shows each question"
}

// check returns nil if the process behind ctx may be a person's.
func (s *Service) check(ctx context.Context) error {
	pid := server.PeerPID(ctx)
	if pid == 0 {
		return &ancestry.UnseenError{Err: errors.New("the system does not tell its id")}
	}
	err := ancestry.Check(pid, &s.sessions)
	if refused, is := errors.AsType[*ancestry.ModelError](err); is {
		return modelError{refused}
	}
	return err
}

// Events returns all events: any may be the first of a session.
func (*Service) Events() []protocol.Event { return nil }

// Hook examines the first hook of a session, and answers an elicitation that a person answers elsewhere.
func (s *Service) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	if e.First || e.Event == protocol.SessionStart {
		s.meet(ctx)
	}
	if e.Event == protocol.Elicitation {
		return hook.Answer{Output: s.elicitation(ctx, e.HookInput)}
	}
	return hook.Answer{}
}

// meet examines the process of a hook, whose environment names the session's Claude Code.
func (s *Service) meet(ctx context.Context) {
	if pid := server.PeerPID(ctx); pid != 0 {
		s.sessions.Hook(pid)
	}
}

// Show records, until the call ends, that a call's client shows a question.
func (s *Service) Show(ctx context.Context, call *protocol.MCPToolCall, id string) {
	pid := server.PeerPID(ctx)
	client, err := ancestry.Find(pid)
	if !call.Elicit || err != nil {
		return // it has gone, or shows nothing
	}
	if call.Meta != nil && strings.HasPrefix(call.Meta.Client, "claude-code") {
		s.sessions.Client(pid)
	}
	s.mu.Lock()
	s.dialogs[id] = client
	s.mu.Unlock()
	if call.Stays {
		s.store.SetHome(id, ask.Dialog)
	}
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.dialogs, id)
	})
}

// shows reports whether the process behind ctx is the client that shows a question.
func (s *Service) shows(ctx context.Context, id string) bool {
	now, err := ancestry.Find(server.PeerPID(ctx))
	s.mu.Lock()
	defer s.mu.Unlock()
	client, shown := s.dialogs[strings.TrimPrefix(id, "#")]
	return err == nil && shown && client == now
}

// Watch counts the process behind ctx among those that show every question, until stop, if it may be a person's.
func (s *Service) Watch(ctx context.Context) (stop func()) {
	if s.check(ctx) != nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers++; s.watchers == 1 {
		s.left = make(chan struct{})
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.watchers--; s.watchers == 0 {
			close(s.left)
			s.left = nil
		}
	}
}

// watched returns a channel that is closed when nobody watches any more; nil: nobody does.
func (s *Service) watched() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// An otherClientError means that the answer of a dialog comes from another process than the client that shows it.
type otherClientError struct{ id string }

func (e *otherClientError) Error() string {
	return "the answer to question " + e.id + " is not from the client that shows it"
}

// Hint says who may answer.
func (e *otherClientError) Hint() string {
	return "a person answers in that client, in agent ui or by agent answer"
}
