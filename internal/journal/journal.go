package journal

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/scrub"
)

// silence is how long an owner is not heard of before its entry is an orphan.
const silence = 2 * time.Hour

// A Scrubber takes secrets out of texts, as [scrub.Scrubber] does.
type Scrubber interface {
	Text(text string) (clean string, found []scrub.Finding)
}

// Options are what a Journal needs. Project, Scrub and Save are required.
type Options struct {
	Project memory.Project
	Scrub   Scrubber
	Save    func(ctx context.Context, d memory.Draft) (id string, err error) // keeps what was learned
	Now     func() time.Time                                                 // nil: time.Now
	Log     *slog.Logger                                                     // nil: nothing is logged
}

// A Journal has the entries of a project. It has one goroutine, which writes what hooks have seen, from New to Close. It is
// safe for concurrent use; several processes may have one over the same database.
type Journal struct {
	db      *store.DB
	options Options
	writer  *writer

	mu     sync.Mutex
	counts map[Owner]*callCount
}

// New returns the journal of a project in a database, which it does not close. The caller closes the journal first.
func New(db *store.DB, o Options) *Journal {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	j := &Journal{db: db, options: o, counts: map[Owner]*callCount{}}
	j.writer = startWriter(j.changeActive, o.Log)
	return j
}

// Flush waits until what hooks have seen is written.
func (j *Journal) Flush(ctx context.Context) error { return j.writer.flush(ctx) }

// Close writes what is queued and ends the journal's goroutine. Notices and changes that come later are lost.
func (j *Journal) Close(ctx context.Context) error { return j.writer.close(ctx) }

// later queues a change of a conversation's active entry.
func (j *Journal) later(o Owner, do func(*Entry)) { j.writer.put(write{owner: o, do: do}) }

// Start begins an entry. Errors: *InvalidError, *ActiveError, WithheldError.
func (j *Journal) Start(ctx context.Context, o Owner, s Start) (Entry, error) {
	o = j.named(o)
	s, err := s.checked(j.options.Scrub)
	if err != nil {
		return Entry{}, err
	}
	e := s.entry(o, j.now())
	err = j.write(ctx, func(t table) error {
		if active, err := t.active(o); err != nil || active != nil {
			return errors.Join(err, activeError(active))
		}
		if err := t.tx.EnsureProject(j.options.Project, e.Created); err != nil {
			return err
		}
		return t.insert(j.options.Project.Key, e)
	})
	j.looked(o)
	return *e, err
}

func activeError(e *Entry) error {
	if e == nil {
		return nil
	}
	return &ActiveError{e.ID}
}

// Update changes the active entry. Errors: *InvalidError, *NotFoundError, WithheldError.
func (j *Journal) Update(ctx context.Context, o Owner, u Update) (Entry, error) {
	o = j.named(o)
	u, err := u.checked(j.options.Scrub)
	if err != nil {
		return Entry{}, err
	}
	none := &NotFoundError{"No active GHAP entry to update. Use start_ghap to begin tracking.", "adopt_ghap continues an entry of another session"}
	e, err := j.change(ctx, o, none, func(e *Entry) { e.update(u, j.now()) })
	j.looked(o)
	return e, err
}

// A Resolved is an entry that has ended, and what was kept of it.
type Resolved struct {
	Entry
	Memory  string // the id of the experience; "": there is none yet
	Value   string // the id of the value that the entry has completed; "": none
	Problem error  // why there is no experience yet; it is tried again when the next entry is resolved
}

// Resolve ends the active entry, and saves it as an experience. Errors: *InvalidError, *NotFoundError, WithheldError.
func (j *Journal) Resolve(ctx context.Context, o Owner, r Resolution) (Resolved, error) {
	o = j.named(o)
	r, err := r.checked(j.options.Scrub)
	if err != nil {
		return Resolved{}, err
	}
	if err := j.Flush(ctx); err != nil {
		return Resolved{}, err
	}
	none := &NotFoundError{"No active GHAP entry to resolve", "start_ghap begins one"}
	e, err := j.change(ctx, o, none, func(e *Entry) { e.resolve(r, j.now()) })
	if err != nil {
		return Resolved{}, err
	}
	return j.keep(ctx, e)
}

// change changes the active entry, or returns none if there is none.
func (j *Journal) change(ctx context.Context, o Owner, none error, do func(*Entry)) (Entry, error) {
	var e *Entry
	err := j.write(ctx, func(t table) (err error) {
		if e, err = t.active(o); err != nil {
			return err
		}
		if e == nil {
			return none
		}
		do(e)
		return t.update(e)
	})
	if err != nil {
		return Entry{}, err
	}
	return *e, nil
}

// changeActive changes the active entry, if there is one.
func (j *Journal) changeActive(ctx context.Context, o Owner, do func(*Entry)) error {
	none := &NotFoundError{}
	if _, err := j.change(ctx, o, none, do); !errors.Is(err, none) {
		return err
	}
	return nil
}

// Active returns the active entry; nil if there is none.
func (j *Journal) Active(ctx context.Context, o Owner) (*Entry, error) {
	o = j.named(o)
	j.looked(o)
	return j.find(ctx, o)
}

// Open returns how many active entries the project has, of all conversations.
func (j *Journal) Open(ctx context.Context) (n int, err error) {
	rows, err := j.db.Query(ctx, "SELECT count(*) FROM journal WHERE project = ? AND state = 'active'", j.options.Project.Key)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}
