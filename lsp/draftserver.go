package lsp

import (
	"context"
	"maps"
	"os"
	"slices"
)

// A Drafting says how changes are tried out in a session of a language's server that is there for nothing else.
type Drafting struct {
	// Adapt makes the entry of the language, in a copy, that of such a session.
	Adapt func(l *Language)
	// Check returns the errors of the whole tree with the texts that the session has been shown.
	Check func(ctx context.Context, s *session) (blackboard, error)
	// Reach has the session look at source files that it leaves out, as far as it can, until they are closed, and returns
	// what says of a file whether it looks at it now. nil: it cannot.
	Reach func(ctx context.Context, s *session, paths []string) (sees func(path string) bool, err error)
	// OpensFirst says that a file must be open as it is on the disk before it is shown with another text.
	OpensFirst bool
	// Passes says of a source file below a root that the server leaves it out, or its errors; nil: of none.
	Passes func(root, path string) bool
}

// set adds a setting to a section of the language's own ones, all of which it copies: other entries may share them.
func (l *Language) set(section, key string, value any) {
	changed := map[string]any{}
	if known, ok := l.Settings[section].(map[string]any); ok {
		maps.Copy(changed, known)
	}
	changed[key] = value
	settings := map[string]any{}
	maps.Copy(settings, l.Settings) // which may be nil
	settings[section] = changed
	l.Settings = settings
}

// drafts are what a server for drafts has besides those for queries.
type drafts struct {
	turn chan struct{} // capacity 1: taken by the one draft at a time

	before blackboard // the errors on the disk; nil: not known. Guarded by the server's mu
}

// take waits for the turn.
func (d *drafts) take(ctx context.Context) error {
	select {
	case d.turn <- struct{}{}: // also when ctx has ended
		return nil
	default:
	}
	select {
	case d.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// forget says that the disk has changed, or the session. Callers hold the server's mu.
func (d *drafts) forget() {
	if d != nil {
		d.before = nil
	}
}

// draftFaults bounds the errors that are kept of one file in a session for drafts: there may be one for each use of a name.
const draftFaults = 5_000

// drafter is the server for drafts of a language in a tree.
func (p *Project) drafter(language *Language, t *tree) *server {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.servers {
		if s.drafts != nil && s.language.ID == language.ID && s.tree == t {
			return s
		}
	}
	of := *language
	of.Drafting.Adapt(&of)
	made := newServer(p, &of, t)
	made.tree, made.drafts, made.state = t, &drafts{turn: make(chan struct{}, 1)}, Idle
	if p.ctx.Err() != nil {
		made.closed = true
	}
	p.servers = append(p.servers, made)
	return made
}

// errorsKept is how many errors of one file are kept.
func (s *server) errorsKept() int {
	if s.drafts != nil {
		return draftFaults
	}
	return problemsPerFile
}

// inStep returns the session and the errors on the disk; nil if they are not known as the disk is now.
func (s *server) inStep() (*session, blackboard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || len(s.pending) > 0 || s.moved {
		return nil, nil
	}
	return s.session, s.drafts.before
}

// keep remembers the errors on the disk.
func (s *server) keep(live *session, before blackboard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		s.drafts.before = before
	}
}

// living is the session, nil if there is none.
func (s *server) living() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// covers says whether the server finds errors in a source file of a tree; reached says so of those that it leaves out by
// itself.
func (s *server) covers(t *tree, path string, reached func(path string) bool) bool {
	has := t.of(s.language)
	root := has.root(path)
	if _, found := slices.BinarySearch(has.sources, path); !found || root == "" {
		return false
	}
	if passes := s.language.Drafting.Passes; passes != nil && passes(root, path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopeIn(t).why[path] == "" || reached(path)
}

// hold opens a file as it is on the disk, if it is not open, until withdraw.
func (s *session) hold(path string) error {
	if _, open := s.documents.edition(path, nil); open {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	return s.broken(s.documents.put(path, buffer{language: s.language.idOf(path), text: string(data)}))
}

// exhibit shows the server the texts of a draft, which has all others as on the disk.
func (s *session) exhibit(texts buffers) error {
	if s.language.Drafting.OpensFirst {
		for path := range texts {
			if err := s.hold(path); err != nil {
				return err
			}
		}
	}
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

// check returns the errors of the whole tree with the texts that the session has been shown.
func (s *session) check(ctx context.Context) (blackboard, error) {
	found, err := s.language.Drafting.Check(ctx, s)
	return found, s.because(ctx, err)
}
