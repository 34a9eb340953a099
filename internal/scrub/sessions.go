package scrub

import (
	"sync"

	"tidepool/internal/fingerprint"
)

// maxSessions bounds the registries of Sessions. They take 300 KB each at most.
const maxSessions = 256

// Sessions has the Registry of each session of one project. What one session has learned, all look for: they are of one user, and
// a value must not be shown because a call does not say whose it is. The numbers are each session's own.
//
// It is safe for concurrent use.
type Sessions struct {
	scrubber *Scrubber
	known    *knowledge

	mu         sync.Mutex
	registries map[string]*sessionRegistry
	calls      int
}

type sessionRegistry struct {
	*Registry
	last int // the call of Of that asked for it last
}

// Sessions returns the Sessions of a project. The key is that of its prints.
func (s *Scrubber) Sessions(key fingerprint.Key) *Sessions {
	return &Sessions{scrubber: s, known: newKnowledge(key, s.allow), registries: make(map[string]*sessionRegistry)}
}

// Of returns the Registry of a session, and makes it when it is first asked for; "" is a session, too. Of more than 256 the one that was not
// asked for the longest is forgotten: if that session goes on, its numbers begin again.
func (s *Sessions) Of(session string) *Registry {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.registries[session]
	if one == nil {
		s.forgetOne()
		one = &sessionRegistry{Registry: s.scrubber.registry(s.known)}
		s.registries[session] = one
	}
	s.calls++
	one.last = s.calls
	return one.Registry
}

// forgetOne makes room for a registry.
func (s *Sessions) forgetOne() {
	if len(s.registries) < maxSessions {
		return
	}
	oldest, last := "", s.calls+1
	for session, one := range s.registries {
		if one.last < last {
			oldest, last = session, one.last
		}
	}
	delete(s.registries, oldest)
}

// End forgets the numbers of a session. What it has learned is still looked for.
func (s *Sessions) End(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.registries, session)
}
