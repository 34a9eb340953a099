package workspace

import "tidepool/lsp/internal/session"

// namesKept is how many answers are kept; with more, all are dropped.
const namesKept = 256

// names are the symbols that were found for names, good for as long as nothing changes on the disk: looking a
// name up takes gopls twice as long as finding the references to it. Guarded by the server's mu.
type names struct {
	epoch int // counts what made answers old
	found map[string][]session.Symbol
}

// drop drops all answers, and those to questions that are under way.
func (n *names) drop() {
	n.epoch++
	clear(n.found)
}

// Forget drops the answers that are kept: the next question reaches the session.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names.drop()
}

// notKept is the epoch of questions whose answers are not worth keeping.
const notKept = -1

// Recall returns the kept answer, which must not be changed, or the epoch to give to remember with a new one: that of a question which is asked
// while the server is at work may lack something even if the answer comes when it is done.
func (s *Server) Recall(query string) (found []session.Symbol, ok bool, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok = s.names.found[query]; ok {
		return found, true, s.names.epoch
	}
	if s.session == nil {
		return nil, false, notKept
	}
	if busy, _ := s.session.Progress.Indexing(session.Part{}); busy {
		return nil, false, notKept
	}
	return nil, false, s.names.epoch
}

// Remember keeps an answer that is all there is, until something changes.
func (s *Server) Remember(query string, found []session.Symbol, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names.epoch != epoch || s.session == nil {
		return
	}
	if s.names.found == nil || len(s.names.found) >= namesKept {
		s.names.found = map[string][]session.Symbol{}
	}
	s.names.found[query] = found
}

// outlinesKept is how many files' declarations are kept; with more, all are dropped.
const outlinesKept = 1000

// outlines are the declarations of files, good for as long as the file does not change. Guarded by the server's mu.
type outlines struct {
	epoch int // counts what made answers old
	of    map[string][]session.DocumentSymbol
}

// forget drops all answers, and those that are under way.
func (o *outlines) forget() {
	o.epoch++
	clear(o.of)
}

// drop drops the answer for one file, and those that are under way.
func (o *outlines) drop(path string) {
	o.epoch++
	delete(o.of, path)
}

// RecallOutline returns the kept answer, or the epoch to give to RememberOutline with a new one.
func (s *Server) RecallOutline(path string) (outline []session.DocumentSymbol, ok bool, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	outline, ok = s.outlines.of[path]
	return outline, ok, s.outlines.epoch
}

func (s *Server) RememberOutline(path string, outline []session.DocumentSymbol, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outlines.epoch != epoch {
		return
	}
	if s.outlines.of == nil || len(s.outlines.of) >= outlinesKept {
		s.outlines.of = map[string][]session.DocumentSymbol{}
	}
	s.outlines.of[path] = outline
}
