package recall

import (
	"context"
	"sync"

	"tidepool/internal/recall/memory"
)

const (
	maxPreferences = 5 // that a session is told at its start
	// lastSessions is how many summaries are compared: one that was learned late from a transcript has a higher number than a later session's.
	lastSessions = 4
)

// A Greeting is what a session is told at its start.
type Greeting struct {
	Last        *memory.Memory  // the summary of the project's latest session but the one that begins; nil: there is none
	Preferences []memory.Memory // what the user said of this project or of all, and nothing has superseded: at most 5, the newest first
}

// A greeter keeps what the last greeting was made of. It is good until a memory changes, in any process.
type greeter struct {
	mu          sync.Mutex
	ready       bool
	seq         int64 // the last change that it has
	sessions    []memory.Memory
	preferences []memory.Memory
}

// Greeting returns what a session is told at its start.
func (s *Store) Greeting(ctx context.Context, session string) (Greeting, error) {
	s.greeter.mu.Lock()
	defer s.greeter.mu.Unlock()
	if err := s.greeter.follow(ctx, s); err != nil {
		return Greeting{}, err
	}
	g := Greeting{Preferences: s.greeter.preferences}
	for i := range s.greeter.sessions {
		if m := s.greeter.sessions[i]; m.Session != session && (g.Last == nil || m.Created.After(g.Last.Created)) {
			g.Last = &m
		}
	}
	return g, nil
}

// follow reads the memories if one has changed. mu is held.
func (g *greeter) follow(ctx context.Context, s *Store) error {
	seq, err := s.db.Seq(ctx)
	if err != nil || g.ready && g.seq == seq {
		return err
	}
	g.ready = false
	sessions, err := s.db.LastSessions(ctx, s.options.Project.Key, lastSessions)
	if err != nil {
		return err
	}
	preferences, err := s.db.Preferences(ctx, s.options.Project.Key, maxPreferences)
	if err != nil {
		return err
	}
	g.sessions, g.preferences, g.seq, g.ready = memoriesOf(sessions), memoriesOf(preferences), seq, true
	return nil
}

// Summary returns the memory of a session as a whole; nil: there is none.
func (s *Store) Summary(ctx context.Context, session string) (*memory.Memory, error) {
	r, err := s.db.Summary(ctx, s.options.Project.Key, session)
	if err != nil || r == nil {
		return nil, err
	}
	return &r.Memory, nil
}
