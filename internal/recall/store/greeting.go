package store

import "context"

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

// Summary returns the memory of a session as a whole; nil if there is none.
func (d *DB) Summary(ctx context.Context, project, session string) (*Record, error) {
	return one(d.reader(ctx), "WHERE m.session <> '' AND m.session = ? AND m.project = ? AND m.kind = 'session' ORDER BY m.n DESC LIMIT 1", session, project)
}
