package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tidepool/internal/recall/store"
	"tidepool/internal/sqlite"
)

// A table is the journal's rows in a transaction that writes. A row has the entry as JSON; what is in columns of its own counts.
type table struct{ tx *store.Tx }

// write runs a transaction that survives the end of the machine: what a tool has answered is kept.
func (j *Journal) write(ctx context.Context, do func(table) error) error {
	return j.db.WriteThrough(ctx, func(tx *store.Tx) error { return do(table{tx}) })
}

// active returns the active entry of a conversation; nil if there is none.
func (t table) active(o Owner) (*Entry, error) {
	return readEntry(t.tx.Row("SELECT session, agent, entry FROM journal WHERE session = ? AND agent = ? AND state = 'active'", o.Session, o.Agent))
}

// candidate returns an entry of a project, and when its session has ended. The entry is nil if there is none.
func (t table) candidate(project, id string) (candidate, error) {
	e, err := readEntry(t.tx.Row("SELECT session, agent, entry FROM journal WHERE id = ? AND project = ?", id, project))
	if err != nil || e == nil {
		return candidate{}, err
	}
	var ended sql.NullInt64
	err = t.tx.Row("SELECT ended_at FROM session WHERE id = ?", e.Session).Scan(&ended)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return candidate{e, moment(ended)}, err
}

func (t table) insert(project string, e *Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.tx.Exec("INSERT INTO journal(id, project, session, agent, state, entry, created_at) VALUES(?, ?, ?, ?, ?, ?, ?)",
		e.ID, project, e.Session, e.Agent, e.State(), string(text), e.Created.UnixMilli())
	return err
}

func (t table) update(e *Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	var resolved any
	if e.Outcome != nil {
		resolved = e.Outcome.At.UnixMilli()
	}
	_, err = t.tx.Exec("UPDATE journal SET session = ?, agent = ?, state = ?, tier = ?, entry = ?, resolved_at = ? WHERE id = ?",
		e.Session, e.Agent, e.State(), e.Tier, string(text), resolved, e.ID)
	return err
}

// saved notes that an entry is a memory.
func (t table) saved(id, memory string) error {
	_, err := t.tx.Exec("UPDATE journal SET entry = json_remove(entry, '$.unsaved'), memory = (SELECT n FROM memory WHERE id = ?) WHERE id = ?", memory, id)
	return err
}

// find returns the active entry of a conversation; nil if there is none.
func (j *Journal) find(ctx context.Context, o Owner) (*Entry, error) {
	all, err := j.read(ctx, "SELECT session, agent, entry, NULL FROM journal WHERE session = ? AND agent = ? AND state = 'active'", o.Session, o.Agent)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0].entry, nil
}

// left returns the active entries of the project, the newest first.
func (j *Journal) left(ctx context.Context) ([]candidate, error) {
	return j.read(ctx, `SELECT j.session, j.agent, j.entry, s.ended_at FROM journal j LEFT JOIN session s ON s.id = j.session
		WHERE j.project = ? AND j.state = 'active' ORDER BY j.rowid DESC`, j.options.Project.Key)
}

// unsaved returns resolved entries that are no memories yet.
func (j *Journal) unsaved(ctx context.Context, limit int) ([]Entry, error) {
	found, err := j.read(ctx, `SELECT session, agent, entry, NULL FROM journal
		WHERE project = ? AND state <> 'active' AND json_extract(entry, '$.unsaved') ORDER BY rowid DESC LIMIT ?`, j.options.Project.Key, limit)
	return entries(found), err
}

// A Query selects resolved entries.
type Query struct {
	Domain  string // "": all
	Outcome State  // "": all
	Since   time.Time
	Limit   int // at most
}

// List returns resolved entries of the project, those that were begun last first.
func (j *Journal) List(ctx context.Context, q Query) ([]Entry, error) {
	found, err := j.read(ctx, `SELECT session, agent, entry, NULL FROM journal
		WHERE project = ?1 AND state <> 'active' AND (?2 = '' OR state = ?2) AND (?3 = '' OR json_extract(entry, '$.domain') = ?3) AND created_at >= ?4
		ORDER BY rowid DESC LIMIT ?5`, j.options.Project.Key, q.Outcome, q.Domain, millis(q.Since), q.Limit)
	return entries(found), err
}

// Entry returns an entry of any project by its id; nil if there is none.
func (j *Journal) Entry(ctx context.Context, id string) (*Entry, error) {
	found, err := j.read(ctx, "SELECT session, agent, entry, NULL FROM journal WHERE id = ?", id)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0].entry, nil
}

// read returns the entries of a query, with the ends of their sessions. A row that cannot be read is logged and left out.
func (j *Journal) read(ctx context.Context, query string, args ...any) ([]candidate, error) {
	rows, err := j.db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []candidate
	for rows.Next() {
		var ended sql.NullInt64
		e, err := readEntry(withEnd{rows, &ended})
		if damaged, ok := errors.AsType[*damagedError](err); ok {
			j.options.Log.Warn("an entry of the journal is left out", "err", damaged)
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, candidate{e, moment(ended)})
	}
	return all, rows.Err()
}

// A withEnd is a row whose last column is when the session has ended.
type withEnd struct {
	sqlite.Row
	ended *sql.NullInt64
}

// Scan reads the last column, too.
func (r withEnd) Scan(to ...any) error { return r.Row.Scan(append(to, r.ended)...) }

// readEntry reads a row; nil if there is none.
func readEntry(row sqlite.Row) (*Entry, error) {
	var o Owner
	var text string
	err := row.Scan(&o.Session, &o.Agent, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := &Entry{}
	if err := json.Unmarshal([]byte(text), e); err != nil {
		return nil, &damagedError{o.Session}
	}
	e.Session, e.Agent = o.Session, o.Agent
	return e, nil
}

// A damagedError means that an entry is not what this program writes. It quotes nothing of it.
type damagedError struct{ session string }

func (e *damagedError) Error() string {
	return fmt.Sprintf("the entry of session %s in the journal cannot be read", e.session)
}

// Hint says what to do.
func (*damagedError) Hint() string { return "start_ghap begins another one in a new session" }

func entries(found []candidate) []Entry {
	all := make([]Entry, len(found))
	for i, c := range found {
		all[i] = *c.entry
	}
	return all
}

// moment returns the time of milliseconds; zero for none.
func moment(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
