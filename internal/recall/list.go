package recall

import (
	"context"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/recall/team"
)

const (
	defaultList = 20
	maxList     = 1000
	neighbours  = 2 // before a memory and after it
)

// Get returns the memory with an id. The error may be an *UnknownError.
func (s *Store) Get(ctx context.Context, id string) (memory.Memory, error) {
	if team.Has(id) {
		e, err := s.expandShared(ctx, id)
		return e.Memory, err
	}
	r, err := s.db.ByID(ctx, id)
	if err != nil {
		return memory.Memory{}, err
	}
	if r == nil {
		return memory.Memory{}, unknown(id)
	}
	return r.Memory, nil
}

// A ListQuery selects memories. The zero ListQuery selects the newest of all projects.
type ListQuery struct {
	Project string // key, name or path; "": all
	Kinds   []memory.Kind
	Session string
	Tag     string
	Outcome memory.Outcome
	Since   time.Time
	Before  time.Time
	Limit   int // 0: 20, at most 1,000
}

// List returns memories, the newest first. The error may be a *ProjectError.
func (s *Store) List(ctx context.Context, q ListQuery) ([]memory.Memory, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = defaultList
	}
	f := store.Filter{Kinds: q.Kinds, Session: q.Session, Tag: q.Tag, Outcome: q.Outcome, Since: q.Since, Before: q.Before, Limit: min(limit, maxList)}
	if q.Project != "" {
		var err error
		if f.Projects, err = s.keysOf(ctx, q.Project); err != nil {
			return nil, err
		}
	}
	records, err := s.db.List(ctx, f)
	return memoriesOf(records), err
}

func memoriesOf(records []store.Record) []memory.Memory {
	all := make([]memory.Memory, len(records))
	for i := range records {
		all[i] = records[i].Memory
	}
	return all
}

// An Expanded is all that is known of a memory.
type Expanded struct {
	memory.Memory
	Foreign       bool            // as in Hit
	Before, After []memory.Memory // its neighbours in the session, in order, at most two each
	History       []store.Event   // the oldest first, at most 32
}

// Expand returns all that is known of a memory. The error may be an *UnknownError.
func (s *Store) Expand(ctx context.Context, id string) (Expanded, error) {
	if team.Has(id) {
		return s.expandShared(ctx, id)
	}
	r, err := s.db.ByID(ctx, id)
	if err != nil {
		return Expanded{}, err
	}
	if r == nil {
		return Expanded{}, unknown(id)
	}
	e := Expanded{Memory: r.Memory, Foreign: s.isForeign(&r.Memory)}
	before, after, err := s.db.Neighbours(ctx, r, neighbours)
	if err != nil {
		return Expanded{}, err
	}
	e.Before, e.After = memoriesOf(before), memoriesOf(after)
	e.History, err = s.db.Events(ctx, r.N)
	return e, err
}

// A Telling is a memory that a session was told.
type Telling struct {
	memory.Memory
	In string // the session
	At time.Time
}

// Lately returns what sessions of all projects were told last, the latest first, at most 1,000.
func (s *Store) Lately(ctx context.Context, limit int) ([]Telling, error) {
	tellings, err := s.db.Lately(ctx, min(max(limit, 0), maxList))
	if err != nil {
		return nil, err
	}
	numbers := make([]uint32, len(tellings))
	for i, t := range tellings {
		numbers[i] = t.N
	}
	seen := reading{ctx: ctx, db: s.db}
	if err := seen.load(numbers); err != nil {
		return nil, err
	}
	var all []Telling
	for _, t := range tellings {
		if r := seen.of(t.N); r != nil {
			all = append(all, Telling{r.Memory, t.Session, t.At})
		}
	}
	return all, nil
}
