package hook

import (
	"hash/maphash"
	"sync"
)

// maxSessions bounds how many different sessions are counted.
const maxSessions = 4096

// sessions counts different ids without keeping them. It is safe for concurrent use.
type sessions struct {
	mu   sync.Mutex
	seed maphash.Seed
	seen map[uint64]struct{}
}

func newSessions() *sessions {
	return &sessions{seed: maphash.MakeSeed(), seen: make(map[uint64]struct{})}
}

// note reports whether an id is new.
func (s *sessions) note(id string) bool {
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

func (s *sessions) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}
