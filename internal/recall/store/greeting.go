package store

import (
	"context"

	"tidepool/internal/recall/memory"
)

// The texts of these queries are constants, so they stay compiled: compiling one takes longer than running it.

// LastSessions returns the summaries of a project's sessions that were learned last, the last one first.
func (d *DB) LastSessions(ctx context.Context, project string, limit int) ([]Record, error) {
	return records(d.reader(ctx), "WHERE m.project = ? AND m.kind = 'session' ORDER BY m.n DESC LIMIT ?", project, limit)
}

// Preferences returns what the user said in a project or for all, and nothing has superseded, the newest first.
func (d *DB) Preferences(ctx context.Context, project string, limit int) ([]Record, error) {
	return records(d.reader(ctx), `WHERE m.kind = 'preference' AND m.trust = 'said' AND m.superseded_by IS NULL AND (m.project = ? OR m.scope = 'user')
		ORDER BY m.n DESC LIMIT ?`, project, limit)
}

// ofSession selects the last memory of a kind that a session has. The plus keeps SQLite from reading all memories of the project from the
// last one, which is in the right order: among 10,000 that takes 8 ms, and a session has few memories.
const ofSession = "WHERE m.session <> '' AND m.session = ? AND m.project = ? AND m.kind = ? ORDER BY +m.n DESC LIMIT 1"

// Summary returns the memory of a session as a whole; nil if there is none.
func (d *DB) Summary(ctx context.Context, project, session string) (*Record, error) {
	return one(d.reader(ctx), ofSession, session, project, memory.Session)
}

// OfSession returns the memory of a kind that a session has; nil if there is none. Of several it is the newest.
func (t *Tx) OfSession(project string, kind memory.Kind, session string) (*Record, error) {
	return one(t, ofSession, session, project, kind)
}
