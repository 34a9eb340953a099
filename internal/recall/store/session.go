package store

import "time"

// keptSessions is how long it is known when a session began and ended.
const keptSessions = 365 * 24 * time.Hour

// BeginSession records that a session has begun, or that one that had ended goes on. It forgets sessions of more than a year ago.
func (t *Tx) BeginSession(id, project string, now time.Time) error {
	if err := t.exec("DELETE FROM session WHERE project = ? AND started_at < ?", project, millis(now.Add(-keptSessions))); err != nil {
		return err
	}
	return t.exec(`INSERT INTO session(id, project, started_at) VALUES(?, ?, ?) ON CONFLICT(id) DO UPDATE SET ended_at = NULL`, id, project, millis(now))
}

// EndSession records that a session has ended, whether or not anybody knows when it began.
func (t *Tx) EndSession(id, project string, now time.Time) error {
	return t.exec(`INSERT INTO session(id, project, started_at, ended_at) VALUES(?1, ?2, ?3, ?3) ON CONFLICT(id) DO UPDATE SET ended_at = ?3`,
		id, project, millis(now))
}
