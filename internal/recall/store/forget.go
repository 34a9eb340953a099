package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"tidepool/internal/recall/memory"
)

// hash returns the keyed hash of what identifies a memory that was forgotten.
func (t *Tx) hash(identity []byte) []byte { return hashOf(t.key, identity) }

func hashOf(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(data)
	return h.Sum(nil)[:16]
}

// MarkForgotten records that something was forgotten. identity is the caller's: it is not stored, but its keyed hash.
func (t *Tx) MarkForgotten(identity []byte, now time.Time) error {
	return t.exec("INSERT OR REPLACE INTO forgotten(hash, at) VALUES(?, ?)", t.hash(identity), millis(now))
}

// IsForgotten reports whether something was forgotten.
func (t *Tx) IsForgotten(identity []byte) (is bool, err error) {
	err = t.Row("SELECT EXISTS(SELECT 1 FROM forgotten WHERE hash = ?)", t.hash(identity)).Scan(&is)
	return is, err
}

// Unforget lets something be learned again.
func (t *Tx) Unforget(identity []byte) error {
	return t.exec("DELETE FROM forgotten WHERE hash = ?", t.hash(identity))
}

// Remove removes a memory and what says the same: the resolved entry of the journal that it was made from, and the goal of the session
// that it sums up.
func (t *Tx) Remove(r *Record) error {
	if r.Kind == memory.Session {
		if err := t.exec("UPDATE session SET goal = '' WHERE id = ?", r.Session); err != nil {
			return err
		}
	}
	if err := t.exec("DELETE FROM journal WHERE memory = ?", r.N); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM memory WHERE n = ?", r.N); err != nil {
		return err
	}
	if err := t.exec("UPDATE meta SET value = (SELECT max(seq) FROM change) WHERE key = 'forgot'"); err != nil {
		return err
	}
	return t.exec("UPDATE meta SET value = value + 1 WHERE key = 'removals'")
}

// RemoveJournal removes the journal and the sessions of a project; "": of all. What their transcripts have from before is not learned any more.
func (t *Tx) RemoveJournal(project string, now time.Time) error {
	if err := t.exec("DELETE FROM journal WHERE ?1 = '' OR project = ?1", project); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM session WHERE ?1 = '' OR project = ?1", project); err != nil {
		return err
	}
	if err := t.exec("INSERT OR REPLACE INTO meta(key, value) VALUES('emptied ' || ?, ?)", project, millis(now)); err != nil {
		return err
	}
	return t.exec("UPDATE meta SET value = value + 1 WHERE key = 'removals'")
}

// DropProjects removes the projects that nothing belongs to, but for one.
func (t *Tx) DropProjects(but string) error {
	return t.exec(`DELETE FROM project WHERE key <> ? AND NOT EXISTS(SELECT 1 FROM memory WHERE project = key)
		AND NOT EXISTS(SELECT 1 FROM journal WHERE journal.project = key) AND NOT EXISTS(SELECT 1 FROM session WHERE session.project = key)`, but)
}
