package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// A View is what one tool call asks through: the project as it was on the disk when the View was made. Of a
// Location given to a query only Path and Range.Start matter; Path may be relative to the project.
// Every query starts a server that has ended. Safe for concurrent use.
type View struct {
	project  *Project
	servers  []*server
	deadline time.Time // end of the budget for waiting

	mu     sync.Mutex
	worst  Completeness
	lacked []string // what the answers lack for other reasons, each once
}

// Completeness is the worst that was seen between the making of the View and now.
func (v *View) Completeness() Completeness {
	v.observe()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.worst.lacking(v.lacked)
}

func (v *View) observe() {
	now := v.project.completeness(v.servers)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.worst = worse(v.worst, now)
}

// lacks records that an answer was cut.
func (v *View) lacks(reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.Contains(v.lacked, reason) && !strings.Contains(v.worst.Reason, reason) {
		v.lacked = append(v.lacked, reason)
	}
}

// target is where a query goes.
type target struct {
	server  *server
	session *session
	place   protocol.TextDocumentPositionParams
	seen    texts  // the texts that this query has read
	name    string // the identifier at the place
}

// session returns the session of a server, told of all changes. If other callers' Views have found changes
// since, it waits for the server to take them in, within what is left of the View's budget.
func (v *View) session(ctx context.Context, s *server) (*session, error) {
	budget, cancel := context.WithDeadlineCause(ctx, v.deadline, errBudget)
	defer cancel()
	if err := s.await(budget); err != nil && !errors.Is(err, errBudget) {
		return nil, err
	}
	return s.current(ctx)
}

// document finds the server of a file and has it open the file.
func (v *View) document(ctx context.Context, path string) (*server, *session, error) {
	for _, s := range v.servers {
		if !s.reads(path) {
			continue
		}
		live, err := v.session(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		return s, live, live.because(ctx, live.open(path))
	}
	return nil, nil, &NoServerError{Path: path}
}

// aim opens the file of a location and converts the position for the wire.
func (v *View) aim(ctx context.Context, at Location) (target, error) {
	path := v.project.absolute(at.Path)
	s, live, err := v.document(ctx, path)
	if err != nil {
		return target{}, err
	}
	seen := newTexts(&v.project.plain)
	content := seen.of(path)
	return target{
		server:  s,
		session: live,
		seen:    seen,
		name:    wordAt(content.line(at.Range.Start.Line-1), at.Range.Start.Column-1),
		place: protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: wireURI(path)},
			Position:     content.wire(at.Range.Start),
		},
	}, nil
}

// beyond notes whether code that the server does not load may hold more of what is asked about name.
func (v *View) beyond(ctx context.Context, s *session, name string) {
	reason := s.server.mentioned(name)
	if reason == "" && s.language.Beyond != nil {
		var err error
		if reason, err = s.language.Beyond(ctx, s, name); err != nil {
			reason = oneLine(err.Error())
		}
	}
	if reason != "" {
		v.lacks(reason)
	}
}
