package store

import (
	"encoding/json"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// A Record is a memory as it is stored.
type Record struct {
	memory.Memory
	Quiet bool // it is not told at a prompt before it is learned a second time
	Likeness
}

// The columns of a memory. Reading a row ends at the last column that is asked for, so the long ones are the last. JSON has the labels,
// which saves a query for each memory.
const columns = `m.n, m.id, p.key, p.name, p.path, m.scope, m.kind, m.trust, m.quiet, m.words, m.fingerprint, m.sketch, m.outcome, m.session, m.turn,
	m.source, m.commit_hash, m.alpha, m.beta, coalesce((SELECT id FROM memory WHERE n = m.superseded_by), ''), m.created_at, m.updated_at,
	m.gist, m.content,
	(SELECT json_group_array(kind || value ORDER BY value) FROM label WHERE memory = m.n)`

const selectMemory = "SELECT " + columns + " FROM memory m JOIN project p ON p.key = m.project "

func scanRecord(row sqlite.Row) (r Record, err error) {
	var created, updated int64
	var labels string
	err = row.Scan(&r.N, &r.ID, &r.Project.Key, &r.Project.Name, &r.Project.Path, &r.Scope, &r.Kind, &r.Trust, &r.Quiet, &r.Words, &r.Fingerprint,
		&r.Sketch, &r.Outcome, &r.Session, &r.Turn, &r.Source, &r.Commit, &r.Alpha, &r.Beta, &r.SupersededBy, &created, &updated, &r.Gist, &r.Content,
		&labels)
	if err != nil {
		return r, err
	}
	r.Created, r.Updated = moment(created), moment(updated)
	return r, setLabels(&r.Memory, labels)
}

// list returns the texts of a JSON array; nil for none.
func list(array string) (texts []string, err error) {
	if array == "[]" {
		return nil, nil
	}
	return texts, json.Unmarshal([]byte(array), &texts)
}

// records returns the memories that a condition selects.
func records(q querier, where string, args ...any) (all []Record, err error) {
	err = each(q, func(row sqlite.Row) error {
		r, err := scanRecord(row)
		all = append(all, r)
		return err
	}, selectMemory+where, args...)
	return all, err
}

// one returns the first of the memories that a condition selects; nil if there is none.
func one(q querier, where string, args ...any) (*Record, error) {
	all, err := records(q, where, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// Insert adds a memory, of a project that is stored, and sets its number.
func (t *Tx) Insert(r *Record) error {
	result, err := t.Exec(`INSERT INTO memory(id, project, scope, kind, trust, quiet, words, fingerprint, sketch, outcome, session, turn, source,
		commit_hash, alpha, beta, created_at, updated_at, gist, content) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Project.Key, r.Scope, r.Kind, r.Trust, r.Quiet, r.Words, r.Fingerprint, r.Sketch, r.Outcome, r.Session, r.Turn, r.Source,
		r.Commit, r.Alpha, r.Beta, millis(r.Created), millis(r.Updated), r.Gist, r.Content)
	if err != nil {
		return err
	}
	n, err := result.LastInsertId()
	if err != nil {
		return err
	}
	r.N = uint32(n)
	return t.putLabels(r)
}

// Update writes all of a memory but its id, its project, what superseded it, and when it was made.
func (t *Tx) Update(r *Record) error {
	err := t.exec(`UPDATE memory SET scope = ?, kind = ?, trust = ?, quiet = ?, words = ?, fingerprint = ?, sketch = ?, outcome = ?, session = ?, turn = ?,
		source = ?, commit_hash = ?, alpha = ?, beta = ?, updated_at = max(created_at, ?), gist = ?, content = ? WHERE n = ?`,
		r.Scope, r.Kind, r.Trust, r.Quiet, r.Words, r.Fingerprint, r.Sketch, r.Outcome, r.Session, r.Turn,
		r.Source, r.Commit, r.Alpha, r.Beta, millis(r.Updated), r.Gist, r.Content, r.N)
	if err != nil {
		return err
	}
	if err := t.exec("DELETE FROM label WHERE memory = ?", r.N); err != nil {
		return err
	}
	return t.putLabels(r)
}

func (t *Tx) putLabels(r *Record) error {
	for kind, values := range map[string][]string{"tag": r.Tags, "file": r.Files} {
		for _, value := range values {
			if err := t.exec("INSERT OR IGNORE INTO label(memory, kind, value) VALUES(?, ?, ?)", r.N, kind, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// Supersede marks a memory as superseded by another one; by 0: by none.
func (t *Tx) Supersede(n, by uint32) error {
	var to any
	if by != 0 {
		to = by
	}
	return t.exec("UPDATE memory SET superseded_by = ? WHERE n = ?", to, n)
}
