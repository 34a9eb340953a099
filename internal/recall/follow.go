package recall

import (
	"context"
	"slices"
	"sync"
	"time"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

// load makes the index from the snapshot, or from the memories if there is none that can be used, unless it is there.
func (l *live) load(ctx context.Context) error {
	if err := l.take(ctx); err != nil {
		return err
	}
	defer l.release()
	if l.isReady() {
		return nil
	}
	x, seq, err := l.snapshot.read(ctx, l.db)
	if err != nil {
		return err
	}
	if x == nil {
		return l.build(ctx, l.current().Docs() == 0)
	}
	l.saved = seq
	l.use(x, seq, seq)
	l.finish()
	return nil
}

// build makes the index from the memories. With show, it answers while it grows, else the one before does. turn is held.
func (l *live) build(ctx context.Context, show bool) error {
	c, err := l.db.Counts(ctx)
	if err != nil {
		return err
	}
	seq, err := l.db.Seq(ctx)
	if err != nil {
		return err
	}
	x := index.New()
	l.mu.Lock()
	l.total = c.Memories
	l.mu.Unlock()
	if show {
		l.use(x, seq, seq)
	}
	if err := l.fill(ctx, x); err != nil {
		return err
	}
	l.saved = 0
	l.use(x, seq, seq)
	l.finish()
	return nil
}

// fill puts all memories into an index. Goroutines: one reads them, one cuts their texts, and the caller's adds them; of each batch there are
// at most four. They have ended when it returns.
func (l *live) fill(ctx context.Context, x *index.Index) (err error) {
	read, cut := make(chan []store.Record, 1), make(chan []index.Cut, 1)
	var work sync.WaitGroup
	work.Go(func() {
		defer close(read)
		err = l.readAll(ctx, read)
	})
	work.Go(func() {
		defer close(cut)
		cutter := fulltext.NewCutter()
		for records := range read {
			cuts := make([]index.Cut, len(records))
			for i := range records {
				cuts[i] = index.CutDoc(cutter, docOf(&records[i]))
			}
			cut <- cuts
		}
	})
	for cuts := range cut {
		for _, c := range cuts {
			x.PutCut(c)
		}
	}
	work.Wait()
	return err
}

// readAll sends all memories, in the order of their numbers.
func (l *live) readAll(ctx context.Context, to chan<- []store.Record) error {
	for last := uint32(0); ; {
		records, err := l.db.After(ctx, last, batch)
		if err != nil || len(records) == 0 {
			return err
		}
		select {
		case to <- records:
		case <-ctx.Done():
			return ctx.Err()
		}
		last = records[len(records)-1].N
	}
}

// use makes an index the one that answers. turn is held.
func (l *live) use(x *index.Index, seq, base int64) {
	l.seq = seq
	l.mu.Lock()
	defer l.mu.Unlock()
	l.index, l.base = x, base
}

func (l *live) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = nil
	select {
	case <-l.ready:
	default:
		close(l.ready)
	}
}

// docOf returns a memory as the index takes it. One for the user is of no project, so that it is foreign to none. One that is not to be
// told yet is like one that is never told.
func docOf(r *store.Record) index.Doc {
	d := index.DocOf(&r.Memory)
	if r.Scope == memory.ForUser {
		d.Project = ""
	}
	if r.Quiet {
		d.Trust = memory.Drafted
	}
	return d
}

// follow reads what has changed, at most so many changes. behind says that there is more, or that somebody else is changing the index for
// longer than the patience. If changes were missed, the index is made anew in the background.
func (l *live) follow(ctx context.Context, most int, patience time.Duration) (behind bool, err error) {
	if err := l.takeSoon(ctx, patience); err != nil {
		return true, ctx.Err()
	}
	defer l.release()
	for done := 0; ; done += batch {
		changes, ok, err := l.db.Changes(ctx, l.seq, batch)
		switch {
		case err != nil:
			return true, err
		case !ok:
			l.restart()
			return true, nil
		case len(changes) == 0:
			return false, nil
		case done >= most:
			l.wake()
			return true, nil
		}
		if err := l.apply(ctx, changes); err != nil {
			return true, err
		}
	}
}

// apply puts changes into the index. turn is held.
func (l *live) apply(ctx context.Context, changes []store.Change) error {
	numbers := make([]uint32, len(changes))
	for i, c := range changes {
		numbers[i] = c.N
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	records, err := l.db.Records(ctx, numbers)
	if err != nil {
		return err
	}
	x := l.current()
	for i := range records {
		x.Put(docOf(&records[i]))
		at, _ := slices.BinarySearch(numbers, records[i].N)
		numbers = slices.Delete(numbers, at, at+1)
	}
	for _, n := range numbers {
		x.Delete(n)
	}
	l.seq = changes[len(changes)-1].Seq
	return nil
}

// restart has the index made anew. It answers with what it has meanwhile. turn is held.
func (l *live) restart() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ready = make(chan struct{})
	l.wake()
}

func (l *live) wake() {
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

func (l *live) current() *index.Index {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index
}
