package recall

import (
	"slices"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

// How a memory was kept.
const (
	KeptNew        = "new"
	KeptMerged     = "merged"     // it says the same as an older one, which has its text now
	KeptSuperseded = "superseded" // it is new, and took the place of an older one
	KeptForgotten  = "forgotten"  // it was not kept: somebody has forgotten it before
	KeptBefore     = "before"     // it was not kept: the same event has taught it before
)

// A keeping keeps one memory in a transaction.
type keeping struct {
	tx       *store.Tx
	project  memory.Project
	now      time.Time
	explicit bool // somebody wants it to be kept, so what was forgotten before is no reason against it
}

// keep adds a record or merges it with what says the same.
func (k *keeping) keep(r *refined, d *memory.Draft) (Saved, error) {
	saved := Saved{Scrubbed: r.scrubbed, Cut: r.cut}
	r.Project = k.project
	if again, err := k.again(r, d); err != nil || again {
		saved.Kept = KeptBefore
		return saved, err
	}
	if forgotten, err := k.recall(r); err != nil || forgotten {
		saved.Kept = KeptForgotten
		return saved, err
	}
	old, err := k.older(&r.Record, d.Replaces)
	if err != nil {
		return saved, err
	}
	if old != nil {
		saved.Kept = KeptMerged
		err = k.merge(old, &r.Record, d.Replaces)
	} else {
		saved.Kept = KeptNew
		err = k.add(&r.Record)
	}
	if err == nil && d.Supersedes != "" {
		saved.Kept, err = k.supersede(d.Supersedes, &r.Record, saved.Kept)
	}
	saved.ID = r.ID
	return saved, err
}

// again reports whether the event that a draft is from has taught it before: by a hook and from the transcript, or by reading that twice.
func (k *keeping) again(r *refined, d *memory.Draft) (bool, error) {
	if d.Origin == "" || r.Session == "" || k.explicit {
		return false, nil
	}
	what := append([]byte(r.Kind+"\x00"), remembered(&r.Memory)...)
	return k.tx.Teach(store.Lesson{Session: r.Session, Origin: wording.ClipBytes(valid(d.Origin), maxOrigin), What: what, Late: d.Late}, k.now)
}

// recall reports whether a memory was forgotten, which keeps it out unless it is explicit.
func (k *keeping) recall(r *refined) (forgotten bool, err error) {
	if k.explicit {
		return false, k.tx.Unforget(remembered(&r.Memory))
	}
	return k.tx.IsForgotten(remembered(&r.Memory))
}

// older returns the memory that a record is merged with; nil: it is new.
func (k *keeping) older(r *store.Record, replaces bool) (*store.Record, error) {
	if same, err := k.tx.Same(r); err != nil || same != nil {
		return same, err
	}
	if replaces && r.Session != "" {
		return k.tx.OfSession(r.Project.Key, r.Kind, r.Session)
	}
	if isRecord(r.Kind) {
		return nil, nil
	}
	candidates, err := k.tx.Alike(r)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	words := wordsOf(&r.Memory)
	for i := range candidates {
		if candidates[i].SupersededBy == "" && alike(words, wordsOf(&candidates[i].Memory)) {
			return &candidates[i], nil
		}
	}
	return nil, nil
}

func (k *keeping) add(r *store.Record) error {
	for {
		r.ID = newID()
		taken, err := k.tx.ByID(r.ID)
		if err != nil {
			return err
		}
		if taken == nil {
			break
		}
	}
	if err := k.tx.Insert(r); err != nil {
		return err
	}
	return k.tx.AddEvent(r.N, store.Event{What: store.Learned, Session: r.Session, At: k.now})
}

// merge gives an older memory what a record says, and the record its number and id. Text that is less to be trusted does not replace what
// there is, unless somebody wants it to be kept or it replaces the memory anyway.
func (k *keeping) merge(old, r *store.Record, replaces bool) error {
	merged := *old
	same := string(old.Fingerprint) == string(r.Fingerprint)
	if k.explicit || replaces || trustOf(r.Trust) >= trustOf(old.Trust) {
		merged.Gist, merged.Content, merged.Source, merged.Likeness = r.Gist, r.Content, r.Source, r.Likeness
		if !same || trustOf(r.Trust) > trustOf(old.Trust) {
			merged.Trust = r.Trust
		}
	}
	if r.Session != "" {
		merged.Session, merged.Turn = r.Session, r.Turn
	}
	if r.Commit != "" {
		merged.Commit = r.Commit
	}
	if r.Outcome != memory.Unknown {
		merged.Outcome = r.Outcome
	}
	merged.Tags, merged.Files = union(old.Tags, r.Tags, maxTags), union(old.Files, r.Files, maxFiles)
	merged.Quiet = merged.Quiet && replaces // a second time, unless it only grew
	merged.Updated = k.now
	if err := k.tx.Update(&merged); err != nil {
		return err
	}
	if !replaces {
		if err := k.tx.AddEvent(merged.N, store.Event{What: store.Merged, Session: r.Session, At: k.now}); err != nil {
			return err
		}
	}
	*r = merged
	return k.revive(r)
}

// revive lets a memory that was superseded take the place of the one that did that: what was said last counts.
func (k *keeping) revive(r *store.Record) error {
	if r.SupersededBy == "" {
		return nil
	}
	by, err := k.tx.ByID(r.SupersededBy)
	if err != nil || by == nil {
		return err
	}
	if err := k.tx.Supersede(r.N, 0); err != nil {
		return err
	}
	r.SupersededBy = ""
	return k.replace(by, r)
}

// supersede gives a record the place of the memory with an id, and returns how it was kept. One that there is not is an error only if
// somebody has asked for it: what is learned on the side may come late.
func (k *keeping) supersede(id string, r *store.Record, kept string) (string, error) {
	old, err := k.tx.ByID(id)
	switch {
	case err != nil:
		return kept, err
	case old == nil && k.explicit:
		return kept, unknown(id)
	case old == nil || old.N == r.N:
		return kept, nil
	}
	return KeptSuperseded, k.replace(old, r)
}

func (k *keeping) replace(old, by *store.Record) error {
	if err := k.tx.Supersede(old.N, by.N); err != nil {
		return err
	}
	return k.tx.AddEvent(old.N, store.Event{What: store.Superseded, Session: by.Session, Note: by.ID, At: k.now})
}

// trustOf returns how much a trust counts when texts compete.
func trustOf(t memory.Trust) int {
	return slices.Index([]memory.Trust{memory.Drafted, memory.Observed, memory.Saved, memory.Said}, t)
}

// union returns the different labels of both, sorted, at most so many. The newer ones go first when there are too many.
func union(old, newer []string, most int) []string {
	all := slices.Clone(newer)
	for _, label := range old {
		if len(all) < most && !slices.Contains(all, label) {
			all = append(all, label)
		}
	}
	slices.Sort(all)
	return all
}
