package recall

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/recall/team"
)

// forgetAtOnce is how many memories are forgotten in one transaction, so that other writers wait for milliseconds.
const forgetAtOnce = 500

// Forget removes memories, and returns what they were. Nothing is removed if an id is unknown: the error is an *UnknownError. The
// team's memories are removed after the others, and of them those that are there. A *RemainsError says that
// they are forgotten, but that a file still has their text.
func (s *Store) Forget(ctx context.Context, ids ...string) ([]memory.Memory, error) {
	var shared, own []string
	for _, id := range ids {
		if team.Has(id) {
			shared = append(shared, id)
		} else {
			own = append(own, id)
		}
	}
	gone, err := s.forgetOwn(ctx, own)
	if err != nil || len(shared) == 0 {
		return gone, err
	}
	more, err := s.forgetShared(ctx, shared)
	return append(gone, more...), err
}

func (s *Store) forgetOwn(ctx context.Context, ids []string) ([]memory.Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var gone []store.Record
	err := s.db.WriteThrough(ctx, func(tx *store.Tx) error {
		gone = nil
		for _, id := range ids {
			r, err := tx.ByID(id)
			if err != nil {
				return err
			}
			if r == nil {
				return unknown(id)
			}
			gone = append(gone, *r)
		}
		return s.remove(tx, gone)
	})
	if err != nil {
		return nil, err
	}
	return memoriesOf(gone), s.forgotten(ctx)
}

// remove removes records in a transaction.
func (s *Store) remove(tx *store.Tx, records []store.Record) error {
	now := s.options.Now()
	for i := range records {
		if err := tx.MarkForgotten(remembered(&records[i].Memory), now); err != nil {
			return err
		}
		if err := tx.Remove(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

// forgotten finishes forgetting.
func (s *Store) forgotten(ctx context.Context) error {
	if err := s.clean(ctx); err != nil {
		return &RemainsError{err}
	}
	return nil
}

// A Selection says which memories are forgotten: those that all of it selects. The zero Selection selects none.
type Selection struct {
	All      bool   // of all projects; the journal goes with them
	Project  string // key, name or path; with nothing else, its journal goes with it
	Before   time.Time
	Kinds    []memory.Kind
	Matching string // all words of it are in the memory
}

func (q *Selection) isEmpty() bool {
	return !q.All && q.Project == "" && q.Before.IsZero() && len(q.Kinds) == 0 && q.Matching == ""
}

// ForgetMatching removes what a selection selects, and returns it, the newest first, without contents. With dryRun it removes nothing.
// Errors are those of Forget, and *ProjectError.
func (s *Store) ForgetMatching(ctx context.Context, q Selection, dryRun bool) ([]memory.Memory, error) {
	if q.isEmpty() {
		return nil, nil
	}
	f := store.Filter{Kinds: q.Kinds, Before: q.Before, Limit: forgetAtOnce}
	if q.Project != "" {
		var err error
		if f.Projects, err = s.keysOf(ctx, q.Project); err != nil {
			return nil, err
		}
	}
	var all []memory.Memory
	for {
		records, err := s.db.List(ctx, f)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 {
			break
		}
		f.Below = records[len(records)-1].N
		records = slices.DeleteFunc(records, func(r store.Record) bool { return !matches(&r.Memory, q.Matching) })
		if !dryRun {
			if err := s.db.WriteThrough(ctx, func(tx *store.Tx) error { return s.remove(tx, records) }); err != nil {
				return all, err
			}
		}
		for i := range records {
			records[i].Content = ""
			all = append(all, records[i].Memory)
		}
	}
	if dryRun {
		return all, nil
	}
	if err := s.forgetJournal(ctx, &q, f.Projects); err != nil {
		return all, err
	}
	return all, s.forgotten(ctx)
}

// forgetJournal removes the journal of all projects, or of one, if nothing narrows the selection.
func (s *Store) forgetJournal(ctx context.Context, q *Selection, projects []string) error {
	if !q.Before.IsZero() || len(q.Kinds) > 0 || q.Matching != "" {
		return nil
	}
	if q.Project == "" {
		projects = []string{""}
	}
	return s.db.WriteThrough(ctx, func(tx *store.Tx) error {
		for _, p := range projects {
			if err := tx.RemoveJournal(p, s.options.Now()); err != nil {
				return err
			}
		}
		return tx.DropProjects(s.options.Project.Key)
	})
}

// matches reports whether a memory has all words of a text, or the text itself if it has no words that count.
func matches(m *memory.Memory, text string) bool {
	words := sortedWords(text)
	if len(words) == 0 {
		return strings.Contains(m.Gist+"\n"+m.Content, strings.TrimSpace(text))
	}
	has := wordsOf(m)
	return !slices.ContainsFunc(words, func(w string) bool {
		_, ok := slices.BinarySearch(has, w)
		return !ok
	})
}

// clean takes what was forgotten out of the files beside the database, if nobody has done it yet: the snapshot of the index, copies of
// older schemas, and the log.
func (s *Store) clean(ctx context.Context) error {
	removals, cleaned, err := s.db.Cleaned(ctx)
	if err != nil || cleaned >= removals {
		return err
	}
	if err := snapshotOf(s.db).drop(ctx); err != nil {
		return err
	}
	copies, err := filepath.Glob(escapeGlob(s.db.Path()) + ".v*")
	if err != nil {
		return err
	}
	for _, name := range copies {
		err = errors.Join(err, remove(name))
	}
	if err = errors.Join(err, s.db.Purge(ctx)); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *store.Tx) error { return tx.SetCleaned(removals) })
}

// escapeGlob returns the pattern that matches a path only.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
