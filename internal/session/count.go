package session

import (
	"hash/maphash"
	"sync"
)

// maxSessions bounds how many different sessions are counted.
const maxSessions = 4096

// A counter counts different ids without keeping them. Safe for concurrent use.
type counter struct {
	mu   sync.Mutex
	seed maphash.Seed
	seen map[uint64]struct{}
}

func newCounter() *counter {
	return &counter{seed: maphash.MakeSeed(), seen: make(map[uint64]struct{})}
}

// note reports whether an id is new.
func (s *counter) note(id string) bool {
	if id == "" {
		return false
	}
	hash := maphash.String(s.seed, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.seen)
	if before < maxSessions {
		s.seen[hash] = struct{}{}
	}
	return len(s.seen) > before
}

func (s *counter) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

// has reports whether an id was counted.
func (s *counter) has(id string) bool {
	hash := maphash.String(s.seed, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, seen := s.seen[hash]
	return seen
}
