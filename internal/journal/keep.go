package journal

import "context"

// mostUnsaved is how many experiences that could not be saved are tried again at once.
const mostUnsaved = 10

// keep saves a resolved entry as an experience, and what it completes as a value. An entry that cannot be saved is marked in its row,
// and is tried again with the next.
func (j *Journal) keep(ctx context.Context, e Entry) (Resolved, error) {
	kept := Resolved{Entry: e}
	if kept.Memory, kept.Problem = j.save(ctx, &e); kept.Problem != nil {
		return kept, nil
	}
	kept.Unsaved = false
	j.keepUnsaved(ctx)
	if d, ok := j.learned(ctx, &e); ok {
		id, err := j.options.Save(ctx, d)
		if err != nil {
			j.options.Log.Warn("a value was not kept", "err", err)
		}
		kept.Value = id
	}
	return kept, nil
}

// save saves an entry as a memory, and notes that it is one.
func (j *Journal) save(ctx context.Context, e *Entry) (id string, err error) {
	if id, err = j.options.Save(ctx, e.Draft()); err != nil {
		return "", err
	}
	return id, j.write(ctx, func(t table) error { return t.saved(e.ID, id) })
}

// keepUnsaved saves entries that could not be saved when they were resolved.
func (j *Journal) keepUnsaved(ctx context.Context) {
	entries, err := j.unsaved(ctx, mostUnsaved)
	for i := range entries {
		if err == nil {
			_, err = j.save(ctx, &entries[i])
		}
	}
	if err != nil {
		j.options.Log.Warn("experiences are not saved yet", "err", err)
	}
}
