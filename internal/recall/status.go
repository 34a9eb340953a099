package recall

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/recall/team"
)

// States of an index.
const (
	IndexReady    = "ready"
	IndexBuilding = "building"
	IndexFailed   = "failed"
	IndexNone     = "none" // the memories were opened without one
)

// A Status says how the memories are.
type Status struct {
	Path    string         // of the database
	Place   string         // why it is not the user's but the project's; "": it is the user's
	Aside   []string       // files beside it that could not be read and were renamed. What was forgotten may be in them
	Project memory.Project // whose memories are told
	Counts  store.Counts
	Problem string // why something of this status is not known, or forgetting has not finished; "": nothing

	Index      string    // IndexReady, IndexBuilding, IndexFailed, IndexNone
	IndexWhy   string    // of IndexBuilding and IndexFailed
	IndexDocs  int       // memories in it
	IndexBytes int       // about how much memory it takes
	Snapshot   time.Time // when the snapshot was written; zero: there is none

	Team *team.Status // how the team's database did when it was last asked; nil: there is none

	Queued  int    // what was learned and is not written yet
	Lost    int    // drafts that could not be kept since the start
	LostWhy string // why, the last time
}

// Status returns how the memories are. It always has an answer.
func (s *Store) Status(ctx context.Context) Status {
	st := Status{Path: s.place.path, Place: s.place.why, Project: s.options.Project, Index: IndexNone}
	var err, lost error
	if st.Counts, err = s.db.Counts(ctx); err != nil {
		st.Problem = "counting memories: " + err.Error()
	} else if removals, cleaned, err := s.db.Cleaned(ctx); err != nil || cleaned < removals {
		st.Problem = "what was forgotten is not out of all files yet"
	}
	st.Aside, _ = filepath.Glob(escapeGlob(s.place.path) + ".unreadable-*[0-9]") // the pattern is right
	if info, err := os.Lstat(snapshotOf(s.db).path); err == nil {
		st.Snapshot = info.ModTime()
	}
	if st.Queued, st.Lost, lost = s.queue.counts(); lost != nil {
		st.LostWhy = lost.Error()
	}
	if s.options.Team != nil {
		shared := s.options.Team.Status()
		st.Team = &shared
	}
	if s.live != nil {
		s.live.status(&st)
	}
	return st
}

func (l *live) status(st *Status) {
	st.Index = IndexReady
	if !l.isReady() {
		st.Index, st.IndexWhy = IndexBuilding, l.progress()
	}
	l.mu.Lock()
	x, err := l.index, l.err
	l.mu.Unlock()
	if err != nil {
		st.Index = IndexFailed
	}
	st.IndexDocs, st.IndexBytes = x.Docs(), x.Bytes()
}

// Backup writes a copy of the database, which must not be there yet.
func (s *Store) Backup(ctx context.Context, file string) error { return s.db.Backup(ctx, file) }

// Ready waits until the index has all memories, or until the context ends. The error is an *IndexError, which says how far it is.
func (s *Store) Ready(ctx context.Context) error {
	if s.live == nil {
		return &IndexError{"they were opened without an index"}
	}
	return s.live.wait(ctx)
}

func (l *live) wait(ctx context.Context) error {
	l.mu.Lock()
	ready := l.ready
	l.mu.Unlock()
	select {
	case <-ready:
		return nil
	default:
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return &IndexError{l.progress()}
	}
}
