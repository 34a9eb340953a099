package lsp

import "time"

// defaultSilence is how long a server may say nothing once somebody has given up a request. It may be at work on that all
// the same, and would begin anew if it were ended: pyright 1.1.414, at a hover in 3.6 MB that was cancelled after 2 s, said
// nothing for 21 s, and knew it then.
const defaultSilence = 5 * time.Minute

// revive ends a session that hangs, as if it had ended by itself, and starts the next one; that of a server for drafts
// starts with the next of them.
func (s *server) revive(limits limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.session
	if live == nil || s.closed {
		return
	}
	cause := live.Hung(limits.silence, limits.pulse)
	if cause == "" {
		return
	}
	reason := s.ended(live.Exit(cause), live.Lived())
	if s.drafts != nil || s.state == Failed {
		s.retire(live, reason, "stopped: "+cause)
		return
	}
	s.retire(live, reason, "restarted: "+cause)
	s.startLocked() // what goes wrong shows in the next View
}
