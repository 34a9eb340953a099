package lsp

import "tidepool/lsp/internal/session"

// namesKept is how many answers are kept; with more, all are dropped.
const namesKept = 256

// names are the symbols that were found for names, good for as long as nothing changes on the disk: looking a
// name up takes gopls twice as long as finding the references to it. Guarded by the server's mu.
type names struct {
	epoch int // counts what made answers old
	found map[string][]Symbol
}

// forget drops all answers, and those to questions that are under way.
func (n *names) forget() {
	n.epoch++
	clear(n.found)
}

// notKept is the epoch of questions whose answers are not worth keeping.
const notKept = -1

// recall returns the kept answer, which must not be changed, or the epoch to give to remember with a new one: that of a question which is asked
// while the server is at work may lack something even if the answer comes when it is done.
func (s *server) recall(query string) (found []Symbol, ok bool, epoch int) {
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

// remember keeps an answer that is all there is, until something changes.
func (s *server) remember(query string, found []Symbol, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names.epoch != epoch || s.session == nil {
		return
	}
	if s.names.found == nil || len(s.names.found) >= namesKept {
		s.names.found = map[string][]Symbol{}
	}
	s.names.found[query] = found
}
