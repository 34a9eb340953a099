package conversation

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"tidepool/internal/conversation/store"
	"tidepool/internal/wording"
)

// refresh has the keeper read the last moments. Whether that was done in time is part of completeness.
func (a *Archive) refresh(ctx context.Context) (late bool) {
	a.mu.Lock()
	k := a.keeper
	a.mu.Unlock()
	return k != nil && !k.refresh(ctx)
}

// of returns the completeness of an answer. c is that of the store, taken before the answer was made: what is stored meanwhile
// completes the store and not the answer. share is how much of the store the index has seen; late reports that the last moments
// are still being read.
func (c Completeness) of(share float64, late bool) Completeness {
	switch {
	case share < 1 && c.State == Indexing:
		c.Share *= share
	case share < 1:
		return Completeness{State: Indexing, Share: share}
	case late && c.State == Complete:
		return Completeness{State: Partial, Why: "the last moments are still being read"}
	}
	return c
}

// transcripts says what the store covers.
func (a *Archive) transcripts(ctx context.Context, s *store.Store) (Completeness, error) {
	a.mu.Lock()
	k := a.keeper
	a.mu.Unlock()
	if k != nil {
		if c := k.completeness(); c.State != "" {
			return c, nil
		}
	}
	complete, err := s.Complete(ctx) // as whoever writes has left it
	if err != nil {
		return Completeness{State: Complete}, err
	}
	if complete {
		return finished(s.Unread(ctx))
	}
	counts, err := s.Counts(ctx)
	c := Completeness{State: Indexing}
	if counts.Size > 0 {
		c.Share = min(float64(counts.Read)/float64(counts.Size), mostShare)
	}
	return c, err
}

// mostShare is what is said of something that is not complete: 1 would contradict.
const mostShare = 0.99

// without says what the answers cover if there is no store.
func (a *Archive) without(err error) Completeness {
	if err != nil {
		return Completeness{State: Partial, Why: wording.OneLine(err.Error())}
	}
	a.mu.Lock()
	k := a.keeper
	a.mu.Unlock()
	if k != nil {
		if c := k.completeness(); c.State != "" && c.State != Complete {
			return c
		}
	}
	return Completeness{State: Partial, Why: "no transcript of this project has been read yet"}
}

// completeness says what was read. The zero one means that another process reads.
func (k *Keeper) completeness() Completeness {
	k.config.Lock()
	defer k.config.Unlock()
	c := k.state
	if c.State == Indexing {
		if total := k.total.Load(); total > 0 {
			c.Share = min(float64(k.done.Load())/float64(total), mostShare)
		}
	}
	if c.State == Complete {
		c, _ = finished(k.unread(), nil)
	}
	return c
}

// finished says what is covered when all was read but for a reason, "" if there is none.
func finished(why string, err error) (Completeness, error) {
	if why != "" {
		return Completeness{State: Partial, Why: why}, err
	}
	return Completeness{State: Complete}, err
}

// unread says why not all could be read that was to be; "": all could. The caller holds the lock of config.
func (k *Keeper) unread() string {
	why, failures := "", len(k.failed)
	for path, err := range k.failed {
		if why == "" || path == "" { // what concerns the whole store is worse than one file
			why = wording.OneLine(err.Error())
		}
	}
	refused, more := k.refused, k.refusedMore
	if k.watch != nil {
		state := k.watch.State()
		refused, more = state.Refused, state.More
	}
	for _, r := range refused {
		if k.failed[r.Path] != nil {
			continue
		}
		if failures++; why == "" {
			why = fmt.Sprintf("%s is not read: %s", wording.OneLine(r.Path), r.Why)
		}
	}
	if failures += more; failures > 1 {
		why = fmt.Sprintf("%s, and %s more", why, wording.Count(failures-1, "failure"))
	}
	return why
}

func (k *Keeper) setState(c Completeness) {
	k.config.Lock()
	defer k.config.Unlock()
	k.state = c
}

func (k *Keeper) note(text string) {
	k.config.Lock()
	defer k.config.Unlock()
	if !slices.Contains(k.notes, text) {
		k.notes = append(k.notes, text)
	}
}

// Status returns what a person may want to know. It opens the store if there is one, and loads nothing.
func (a *Archive) Status(ctx context.Context) (Status, error) {
	s, err := a.open(ctx)
	if err != nil {
		return Status{State: a.without(err)}, err
	}
	status := Status{State: a.without(nil)}
	if s != nil {
		if status, err = a.describeStore(ctx, s); err != nil {
			return status, err
		}
	}
	if x := a.current(); x != nil {
		status.Memory = x.bytes()
	}
	a.mu.Lock()
	k := a.keeper
	a.mu.Unlock()
	if k != nil {
		k.describe(&status)
	}
	return status, nil
}

func (a *Archive) describeStore(ctx context.Context, s *store.Store) (Status, error) {
	c, err := s.Counts(ctx)
	if err != nil {
		return Status{}, err
	}
	status := Status{
		Path: s.Path(), Sessions: c.Sessions, Turns: c.Turns, Transcripts: c.Live, Gone: c.Gone, Refused: c.Refused, Source: c.Size,
		Skipped: c.Skipped, Unreadable: c.Unreadable,
	}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Lstat(s.Path() + suffix); err == nil {
			status.Bytes += info.Size()
		}
	}
	if n := c.ForgottenSessions; n > 0 {
		status.Notes = append(status.Notes, wording.Count(n, "session")+" forgotten")
	}
	if n := c.Excluded; n > 0 {
		status.Notes = append(status.Notes, wording.Count(n, "pattern")+" of directories excluded")
	}
	status.State, err = a.transcripts(ctx, s)
	return status, err
}

func (k *Keeper) describe(status *Status) {
	k.config.Lock()
	defer k.config.Unlock()
	status.Writer = k.store != nil
	status.Notes = append(status.Notes, k.notes...)
	if k.watch == nil {
		return
	}
	state := k.watch.State()
	if status.Watched = state.Watching; state.Why != "" {
		status.Notes = append(status.Notes, strings.TrimSuffix(state.Why, ".")+": files are looked at every "+state.Live.String())
	}
}
