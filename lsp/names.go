package lsp

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

// recall returns the kept answer, or the epoch to give to remember with a new one.
func (s *server) recall(query string) (found []Symbol, ok bool, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok = s.names.found[query]
	return found, ok, s.names.epoch
}

// remember keeps an answer that is all there is.
func (s *server) remember(query string, found []Symbol, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names.epoch != epoch || s.session == nil {
		return
	}
	if busy, _ := s.session.progress.indexing(); busy {
		return
	}
	if s.names.found == nil || len(s.names.found) >= namesKept {
		s.names.found = map[string][]Symbol{}
	}
	s.names.found[query] = found
}
