package recall

import (
	"context"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

// A Beginning is what is known of a session when it begins or goes on.
type Beginning struct {
	ID         string
	Transcript string // its path; "": not known
	Resumed    bool   // it was taken up again: what was said since its end may not be learned
}

// SessionBegan records that a session has begun or goes on, so that what it left unfinished is its own again. It does not wait.
func (s *Store) SessionBegan(b Beginning) {
	now := s.options.Now()
	s.queueWrite(func(tx *store.Tx) error {
		return tx.BeginSession(store.Beginning{ID: b.ID, Project: s.options.Project.Key, Transcript: b.Transcript, Resumed: b.Resumed}, now)
	})
}

// SessionEnded records that a session has ended, so that others may take over what it left unfinished. It does not wait.
func (s *Store) SessionEnded(id string) {
	now := s.options.Now()
	s.queueWrite(func(tx *store.Tx) error { return tx.EndSession(id, s.options.Project.Key, now) })
}

// SessionHidden records that nothing is to be learned from the transcript of a session, for good. It does not wait.
func (s *Store) SessionHidden(id string) {
	now := s.options.Now()
	s.queueWrite(func(tx *store.Tx) error { return tx.HideSession(id, s.options.Project.Key, now) })
}

func (s *Store) queueWrite(do func(*store.Tx) error) {
	s.queue.put(job{do: func(ctx context.Context) error { return s.db.Write(ctx, do) }})
}

// Transcripts returns those of the project's sessions that may be read: of the sessions since a time that began last, at most limit.
func (s *Store) Transcripts(ctx context.Context, since time.Time, limit int) ([]store.Transcript, error) {
	return s.db.Transcripts(ctx, s.options.Project.Key, "", since, limit)
}

// Transcript returns that of a session; nil: it is not known, or may not be read.
func (s *Store) Transcript(ctx context.Context, session string) (*store.Transcript, error) {
	all, err := s.db.Transcripts(ctx, s.options.Project.Key, session, time.Time{}, 1)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// TranscriptRead records how large the transcript of a session was when all of it had been learned.
func (s *Store) TranscriptRead(ctx context.Context, session string, size int64) error {
	return s.db.Write(ctx, func(tx *store.Tx) error { return tx.ReadSession(session, size) })
}

// LearnLate keeps drafts of a transcript, and returns when they are kept. What hooks have taught already is not learned again. A draft that
// cannot be kept is left out; the error is the database's.
func (s *Store) LearnLate(ctx context.Context, drafts ...memory.Draft) error {
	for _, d := range drafts {
		d.Late = true
		if _, err := s.keep(ctx, d, false); err != nil && !isRefused(err) {
			return err
		}
	}
	return nil
}
