package recall

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tidepool/internal/recall/index"
	"tidepool/internal/recall/store"
)

const (
	loadWait   = 2 * time.Second      // how long a question waits for the index; a prompt does not
	promptWait = 3 * time.Millisecond // how long a prompt waits for who is changing the index
	houseWork  = time.Minute          // between two looks at what is left to do
	batch      = 256                  // memories that are read at once
	followNow  = 256                  // changes that a question reads itself; more are left to the background
)

// A live is the index in memory. It follows the database, whoever changes that.
type live struct {
	db       *store.DB
	log      *slog.Logger
	snapshot snapshot
	clean    func(context.Context) error // finishes forgetting
	kick     chan struct{}               // makes run look before its time

	turn chan struct{} // held by who changes the index, or replaces it
	// Guarded by turn:
	seq   int64 // the last change that the index has
	saved int64 // the last change that the snapshot has
	idle  int64 // seq when run last looked

	mu    sync.Mutex // guards what follows; taken after turn
	index *index.Index
	base  int64         // the last change before the index was begun: what was forgotten later left words in it
	ready chan struct{} // closed when the index has all memories
	err   error         // why it has not, the last time that it was tried
	total int           // memories to read while it is not ready
}

func newLive(db *store.DB, log *slog.Logger, clean func(context.Context) error) *live {
	return &live{
		db: db, log: log, snapshot: snapshotOf(db), clean: clean, kick: make(chan struct{}, 1),
		turn: make(chan struct{}, 1), index: index.New(), ready: make(chan struct{}),
	}
}

// run is the goroutine that loads the index and keeps it, until the context ends.
func (l *live) run(ctx context.Context) {
	tick := time.NewTicker(houseWork)
	defer tick.Stop()
	for idle := false; ctx.Err() == nil; {
		if err := l.work(ctx, idle); err != nil && ctx.Err() == nil {
			l.log.Warn("the index of memories is not up to date", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-l.kick:
			idle = false
		case <-tick.C:
			idle = true
		}
	}
}

// work does what is to do: it loads the index, or reads what has changed, finishes forgetting, and writes the snapshot if nothing has
// changed since it looked the last time. tick says that a minute has passed.
func (l *live) work(ctx context.Context, tick bool) error {
	if err := l.clean(ctx); err != nil {
		l.log.Warn("what was forgotten is not out of all files yet", "err", err)
	}
	for range 2 { // a follow may find that the index has to be made anew
		if err := l.load(ctx); err != nil {
			l.fail(err)
			return err
		}
		if _, err := l.follow(ctx, 1<<30, loadWait); err != nil {
			return err
		}
		if l.isReady() {
			break
		}
	}
	if !tick || !l.settled() {
		return nil
	}
	if err := l.refresh(ctx); err != nil {
		return err
	}
	return l.save(ctx)
}

// settled reports whether nothing has changed since it was last called.
func (l *live) settled() bool {
	l.turn <- struct{}{}
	defer l.release()
	was := l.idle
	l.idle = l.seq
	return was == l.seq
}

func (l *live) release() { <-l.turn }

// take waits for the turn to change the index.
func (l *live) take(ctx context.Context) error {
	select {
	case l.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeSoon is take, for so long.
func (l *live) takeSoon(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return l.take(ctx)
}

func (l *live) isReady() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.ready:
		return true
	default:
		return false
	}
}

func (l *live) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// refresh makes the index anew if it has words of what was forgotten.
func (l *live) refresh(ctx context.Context) error {
	forgot, err := l.db.Forgot(ctx)
	if err != nil {
		return err
	}
	if err := l.take(ctx); err != nil {
		return err
	}
	defer l.release()
	if l.begun() >= forgot {
		return nil
	}
	return l.build(ctx, false)
}

func (l *live) begun() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.base
}

// save writes the snapshot, if the index is complete, has something that the snapshot has not, and has no words of what was forgotten.
func (l *live) save(ctx context.Context) error {
	if !l.isReady() {
		return nil
	}
	if err := l.take(ctx); err != nil {
		return err
	}
	defer l.release()
	if l.saved == l.seq {
		return nil
	}
	written, err := l.snapshot.write(ctx, l.db, l.current(), l.seq, l.begun())
	if written {
		l.saved = l.seq
	}
	return err
}

// ask returns the index for a question. why says what the answer lacks; "": nothing. wait is how long the question waits for an index
// that is not complete.
func (l *live) ask(ctx context.Context, wait time.Duration) (x *index.Index, why string, err error) {
	l.mu.Lock()
	ready := l.ready
	l.mu.Unlock()
	if wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-ready:
		case <-t.C:
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	if !l.isReady() {
		return l.current(), l.progress(), nil
	}
	behind, err := l.follow(ctx, followNow, max(wait, promptWait))
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, "", err
	case behind:
		return l.current(), "memories that were added a moment ago are still being read", nil
	}
	return l.current(), "", nil
}

// progress says how far the index is.
func (l *live) progress() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return "the index of memories cannot be made: " + l.err.Error()
	}
	return progress(l.index.Docs(), l.total)
}
