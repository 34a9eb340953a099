package recall

import (
	"context"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/recall/team"
)

// Saved says what became of a draft.
type Saved struct {
	ID       string   // of the memory; "" if it was not kept
	Kept     string   // KeptNew, KeptMerged, KeptSuperseded, KeptForgotten
	Scrubbed []string // the kinds of secrets that were taken out
	Cut      bool     // the content was longer than memory.MaxContent
}

// Save keeps a memory that somebody wants to be kept, even if it was forgotten before. When it returns, the memory is on the disk. A
// draft without a trust is memory.Saved. Errors: *DraftError, *WithheldError, *UnknownError for what it supersedes, *NoTeamError, and
// those of the database.
func (s *Store) Save(ctx context.Context, d memory.Draft) (Saved, error) {
	if d.Trust == "" {
		d.Trust = memory.Saved
	}
	if d.Scope == memory.ForTeam {
		return s.saveShared(ctx, d)
	}
	return s.keep(ctx, d, true)
}

// keep keeps a draft, on the disk if it is explicit.
func (s *Store) keep(ctx context.Context, d memory.Draft, explicit bool) (saved Saved, err error) {
	now := s.options.Now()
	r, err := s.refiner.refine(d, now)
	if err != nil {
		return Saved{}, err
	}
	write := s.db.Write
	if explicit {
		write = s.db.WriteThrough
	}
	err = write(ctx, func(tx *store.Tx) error {
		if err := tx.EnsureProject(s.options.Project, now); err != nil {
			return err
		}
		k := keeping{tx: tx, project: s.options.Project, now: now, explicit: explicit}
		saved, err = k.keep(&r, &d)
		return err
	})
	if err != nil {
		return Saved{}, err
	}
	return saved, nil
}

// Feedback records whether a memory has helped, with a comment that may be empty, and returns how much it is believed since: from 0 to 1.
// The team's memories have no history, so a comment about one is dropped.
func (s *Store) Feedback(ctx context.Context, id string, helpful bool, comment string) (confidence float64, err error) {
	w := washing{refiner: &s.refiner}
	note := cutNote(w.text(comment))
	if w.withheld {
		return 0, &WithheldError{}
	}
	if team.Has(id) {
		return s.feedbackShared(ctx, id, helpful)
	}
	err = s.db.WriteThrough(ctx, func(tx *store.Tx) error {
		r, err := tx.ByID(id)
		if err != nil {
			return err
		}
		if r == nil {
			return unknown(id)
		}
		what := store.Helpful
		if helpful {
			r.Alpha++
		} else {
			r.Beta++
			what = store.Unhelpful
		}
		confidence = r.Alpha / (r.Alpha + r.Beta)
		if err := tx.Update(r); err != nil {
			return err
		}
		return tx.AddEvent(r.N, store.Event{What: what, Note: note, At: s.options.Now()})
	})
	return confidence, err
}
