package lsp

import "tidepool/lsp/internal/disk"

// heed brings the servers in step soon after the watch has seen something, so that they need not begin when the next
// question comes. It starts none. It returns when the watch is closed or the project is.
func (t *tree) heed(w *disk.Watch) {
	for w.Stirred(t.project.ctx) {
		t.sync()
		for _, s := range t.project.serversOf(t) {
			s.sendChanges()
		}
	}
}

// sendChanges tells the session what has changed, if there is one.
func (s *server) sendChanges() {
	s.mu.Lock()
	live := s.session
	s.mu.Unlock()
	if live != nil {
		s.flush(live) // what goes wrong ends the session
	}
}
