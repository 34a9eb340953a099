package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Orphans returns active entries of the project that other conversations have left, the newest first.
func (j *Journal) Orphans(ctx context.Context, o Owner, limit int) ([]Entry, error) {
	o = j.named(o)
	left, err := j.left(ctx)
	if err != nil {
		return nil, err
	}
	var orphans []Entry
	for _, l := range left {
		if l.entry.owner() != o && l.isOrphan(j.now()) && len(orphans) < limit {
			orphans = append(orphans, *l.entry)
		}
	}
	return orphans, nil
}

// A candidate is an active entry and when its session has ended.
type candidate struct {
	entry *Entry
	ended time.Time // zero: not that anybody knows
}

// isOrphan reports whether nobody works on the entry. A clock that was set back does not keep an entry from becoming one.
func (c candidate) isOrphan(now time.Time) bool {
	return !c.ended.IsZero() && !c.ended.Before(c.entry.Seen) || now.Sub(c.entry.Seen).Abs() > silence
}

// Adopt makes an orphan the conversation's own active entry. One that is its own already is returned as it is. Errors:
// *NotFoundError, *ActiveError, *TakenError.
func (j *Journal) Adopt(ctx context.Context, o Owner, id string) (Entry, error) {
	o = j.named(o)
	var e *Entry
	err := j.write(ctx, func(t table) (err error) {
		if e, err = j.theirs(t, o, id); err != nil || e.owner() == o {
			return err
		}
		if own, err := t.active(o); err != nil || own != nil {
			return errors.Join(err, activeError(own))
		}
		e.Notes = last(append(e.Notes, "adopted from session "+e.Session), mostNotes)
		e.Session, e.Agent, e.Seen = o.Session, o.Agent, j.now()
		return t.update(e)
	})
	if err != nil {
		return Entry{}, err
	}
	j.looked(o)
	return *e, nil
}

// Abandon ends an active entry, the conversation's own or an orphan, as abandoned for a reason. An orphan stays its session's. An id of
// "" is the conversation's own entry. Errors: *InvalidError, *NotFoundError, *TakenError, WithheldError.
func (j *Journal) Abandon(ctx context.Context, o Owner, id, reason string) (Resolved, error) {
	o = j.named(o)
	r, err := Resolution{Status: Abandoned, Result: reason}.checked(j.options.Scrub)
	if err != nil {
		return Resolved{}, renamed(err, "result", "reason")
	}
	if id == "" {
		return j.Resolve(ctx, o, r)
	}
	var e *Entry
	err = j.write(ctx, func(t table) (err error) {
		if e, err = j.theirs(t, o, id); err != nil {
			return err
		}
		e.resolve(r, j.now())
		return t.update(e)
	})
	if err != nil {
		return Resolved{}, err
	}
	return j.keep(ctx, *e)
}

// theirs returns an active entry that the conversation may take: its own, or an orphan of its project.
func (j *Journal) theirs(t table, o Owner, id string) (*Entry, error) {
	c, err := t.candidate(j.options.Project.Key, id)
	switch {
	case err != nil:
		return nil, err
	case c.entry == nil:
		return nil, &NotFoundError{fmt.Sprintf("No GHAP entry %s in this project", id), "get_active_ghap names the entries that can be adopted"}
	case c.entry.State() != Active:
		return nil, &NotFoundError{fmt.Sprintf("GHAP %s is not active: it was resolved as %s", id, c.entry.State()), "start_ghap begins a new one"}
	case c.entry.owner() != o && !c.isOrphan(j.now()):
		return nil, &TakenError{id, c.entry.Session, c.entry.Agent}
	}
	return c.entry, nil
}

// renamed returns an error of invalid arguments with another name for one of them.
func renamed(err error, from, to string) error {
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		return err
	}
	var problems []string
	for _, p := range invalid.Problems {
		if len(p) > len(from) && p[:len(from)] == from {
			p = to + p[len(from):]
		}
		problems = append(problems, p)
	}
	return &InvalidError{problems}
}
