package recall

import (
	"context"

	"tidepool/internal/recall/store"
)

// SessionBegan records that a session has begun or goes on, so that what it left unfinished is its own again. It does not wait.
func (s *Store) SessionBegan(id string) {
	now := s.options.Now()
	s.queue.put(job{do: func(ctx context.Context) error {
		return s.db.Write(ctx, func(tx *store.Tx) error { return tx.BeginSession(id, s.options.Project.Key, now) })
	}})
}

// SessionEnded records that a session has ended, so that others may take over what it left unfinished. It does not wait.
func (s *Store) SessionEnded(id string) {
	now := s.options.Now()
	s.queue.put(job{do: func(ctx context.Context) error {
		return s.db.Write(ctx, func(tx *store.Tx) error { return tx.EndSession(id, s.options.Project.Key, now) })
	}})
}
