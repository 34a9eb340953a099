package lsp

import (
	"context"
	"time"
)

// A Drafting says how changes are tried out in a session of a language's server that is there for nothing else.
type Drafting struct {
	// Adapt makes the entry of the language, in a copy, that of such a session.
	Adapt func(l *Language)
	// Check returns when the session's progress has the errors of the whole tree with the texts that it has been shown.
	Check func(ctx context.Context, s *session) error
	// Passes says whether the server leaves a directory of a root out by its name; nil: none.
	Passes func(root, dir string) bool
}

// defaultDraftIdle is how long a server for drafts runs after the last one, unless told otherwise.
const defaultDraftIdle = 5 * time.Minute

// draftFaults bounds the errors kept of one file in a session for drafts: as many as uses of a name there may be.
const draftFaults = 5_000

// drafter is the server for drafts of a language in a tree.
func (p *Project) drafter(language *Language, t *tree) *server {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.servers {
		if s.turn != nil && s.language.ID == language.ID && s.tree == t {
			return s
		}
	}
	of := *language
	of.Drafting.Adapt(&of)
	made := newServer(p, &of, t)
	made.tree, made.turn, made.state = t, make(chan struct{}, 1), Idle
	if p.ctx.Err() != nil {
		made.closed = true
	}
	p.servers = append(p.servers, made)
	return made
}

// faultsKept is how many errors of one file are kept.
func (s *server) faultsKept() int {
	if s.turn != nil {
		return draftFaults
	}
	return problemsPerFile
}

// knows says whether a session lives and has heard of all changes on the disk.
func (s *server) knows(live *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session == live && len(s.pending) == 0 && !s.moved
}

// living is the session, nil if there is none.
func (s *server) living() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// covers says whether the server loads a source file of a tree.
func (s *server) covers(t *tree, path string) bool {
	has := t.of(s.language)
	root := has.root(path)
	if root == "" || !s.reads(path) {
		return false
	}
	if passes := s.language.Drafting.Passes; passes != nil && passes(root, path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.outside(t)(path) == ""
}

// exhibit shows the server the texts of a draft, which has all others as on the disk.
func (s *session) exhibit(texts buffers) error {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	return s.broken(s.documents.show(texts))
}

// withdraw closes what drafts have changed: the server goes back to the files on the disk.
func (s *session) withdraw() {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, element := range d.byPath {
		if element.Value.(*document).held {
			d.close(element) // what goes wrong ends the session
		}
	}
}

// quiet waits until the server has looked at all that it was told and shown, or ctx ends.
func (s *session) quiet(ctx context.Context) error {
	for {
		done, changed := s.progress.looked()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-s.gone:
			return s.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
