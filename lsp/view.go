package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"
)

// A View is what one tool call asks through: the project as it was on the disk when the View was made. Of a
// Location given to a query only Path and Range.Start matter; Path may be relative to the project.
// Every query starts a server that has ended. Safe for concurrent use.
type View struct {
	project *Project
	servers []*server

	mu    sync.Mutex
	worst Completeness
}

// Completeness is the worst that was seen between the making of the View and now.
func (v *View) Completeness() Completeness {
	v.observe()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.worst
}

func (v *View) observe() {
	now := v.project.Completeness()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.worst = worse(v.worst, now)
}

// lacks records that an answer was cut.
func (v *View) lacks(reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.worst = v.worst.lacking(reason)
}

// session returns the session of a server, told of all changes.
func (v *View) session(ctx context.Context, s *server) (*session, error) {
	live, err := s.live(ctx)
	if err != nil {
		return nil, err
	}
	return live, s.flush(ctx, live)
}

// document finds the server of a file and has it open the file.
func (v *View) document(ctx context.Context, path string) (*session, error) {
	for _, s := range v.servers {
		if !s.reads(path) {
			continue
		}
		live, err := v.session(ctx, s)
		if err != nil {
			return nil, err
		}
		return live, live.open(ctx, path)
	}
	return nil, &NoServerError{Path: path}
}

// place opens the file of a location and converts the position for the wire.
func (v *View) place(ctx context.Context, at Location, seen texts) (*session, protocol.TextDocumentPositionParams, error) {
	live, err := v.document(ctx, at.Path)
	if err != nil {
		return nil, protocol.TextDocumentPositionParams{}, err
	}
	return live, protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: wireURI(at.Path)},
		Position:     seen.of(at.Path).wire(at.Range.Start),
	}, nil
}
