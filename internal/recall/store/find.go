package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
)

// ByID returns the memory with an id; nil if there is none.
func (d *DB) ByID(ctx context.Context, id string) (*Record, error) { return byID(d.reader(ctx), id) }

// ByID returns the memory with an id; nil if there is none.
func (t *Tx) ByID(id string) (*Record, error) { return byID(t, id) }

func byID(q querier, id string) (*Record, error) { return one(q, "WHERE m.id = ?", id) }

// Records returns the memories with some numbers, in the order of the numbers. Those that are gone are left out.
func (d *DB) Records(ctx context.Context, ns []uint32) ([]Record, error) {
	if len(ns) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ns)
	if err != nil {
		return nil, err
	}
	return records(d.reader(ctx), "WHERE m.n IN (SELECT value FROM json_each(?)) ORDER BY m.n", string(list))
}

// After returns the memories that come after a number, in the order of the numbers, at most limit.
func (d *DB) After(ctx context.Context, n uint32, limit int) ([]Record, error) {
	return records(d.reader(ctx), "WHERE m.n > ? ORDER BY m.n LIMIT ?", n, limit)
}

// A Filter selects memories. The zero Filter selects all.
type Filter struct {
	Projects []string // keys; nil: all. Memories for the user are of the project that they were saved in
	Kinds    []memory.Kind
	Session  string
	Tag      string
	Outcome  memory.Outcome
	Since    time.Time
	Before   time.Time
	Below    uint32 // only numbers that are lower; 0: all
	Limit    int    // 0: all
}

// List returns the memories that a filter selects, the newest first.
func (d *DB) List(ctx context.Context, f Filter) ([]Record, error) {
	where, args := f.where()
	// The text depends on the filter, so it does not stay compiled.
	return records(loose{ctx, d}, where+" ORDER BY m.n DESC LIMIT ?", append(args, orAll(f.Limit))...)
}

// orAll returns a limit as SQLite wants it, which reads all for a negative one.
func orAll(limit int) int {
	if limit == 0 {
		return -1
	}
	return limit
}

func (f *Filter) where() (string, []any) {
	conditions, args := []string{"1"}, []any(nil)
	add := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if f.Projects != nil {
		add("m.project IN (SELECT value FROM json_each(?))", array(f.Projects))
	}
	if len(f.Kinds) > 0 {
		add("m.kind IN (SELECT value FROM json_each(?))", array(f.Kinds))
	}
	if f.Session != "" {
		add("m.session = ?", f.Session)
	}
	if f.Tag != "" {
		add("EXISTS(SELECT 1 FROM label WHERE memory = m.n AND kind = 'tag' AND value = ?)", f.Tag)
	}
	if f.Outcome != memory.Unknown {
		add("m.outcome = ?", f.Outcome)
	}
	if !f.Since.IsZero() {
		add("m.created_at >= ?", millis(f.Since))
	}
	if !f.Before.IsZero() {
		add("m.created_at < ?", millis(f.Before))
	}
	if f.Below != 0 {
		add("m.n < ?", f.Below)
	}
	return "WHERE " + strings.Join(conditions, " AND "), args
}

// array returns texts as a JSON array. Texts always have one.
func array[T ~string](texts []T) string {
	data, _ := json.Marshal(texts)
	return string(data)
}

// Neighbours returns up to so many memories of the same session that come before a memory, and as many that come after it, each in the
// order of the session.
func (d *DB) Neighbours(ctx context.Context, r *Record, limit int) (before, after []Record, err error) {
	if r.Session == "" {
		return nil, nil, nil
	}
	const session = "WHERE m.session <> '' AND m.session = ? AND m.project = ? AND "
	before, err = records(d.reader(ctx), session+"(m.turn, m.n) < (?, ?) ORDER BY m.turn DESC, m.n DESC LIMIT ?", r.Session, r.Project.Key, r.Turn, r.N, limit)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(before)
	after, err = records(d.reader(ctx), session+"(m.turn, m.n) > (?, ?) ORDER BY m.turn, m.n LIMIT ?", r.Session, r.Project.Key, r.Turn, r.N, limit)
	return before, after, err
}

// WithOutcome returns the numbers of the memories with an outcome.
func (d *DB) WithOutcome(ctx context.Context, o memory.Outcome) (map[uint32]bool, error) {
	all, err := numbers(d.reader(ctx), "SELECT n FROM memory WHERE outcome = ?", o)
	set := make(map[uint32]bool, len(all))
	for _, n := range all {
		set[n] = true
	}
	return set, err
}
