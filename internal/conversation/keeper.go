package conversation

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/conversation/store"
	"tidepool/internal/conversation/tail"
	"tidepool/internal/sqlite"
)

const (
	lockWait    = 5 * time.Second // between two attempts to become the one who writes
	housework   = time.Minute     // between two looks at what is left over: see tidy
	mostLive    = 8               // readers that are kept for files which may grow
	liveIdle    = 10 * time.Minute
	mostRecent  = 16 // files that are looked at before a search
	refreshWait = 50 * time.Millisecond
)

// A Keeper keeps the store of an archive up to date: it reads what is added to the project's transcripts, as the one process that holds
// the store's lock.
//
// Goroutines: Run, the caller's; while it holds the lock, one that reads changed files, and until all files were read once, two that do that
// beside it; one for each search that waits for the last moments. Run ends them all, between two transactions.
type Keeper struct {
	archive *Archive
	done    atomic.Int64 // bytes that were read of the first look at all files
	total   atomic.Int64

	config      sync.Mutex // guards what follows
	store       *store.Store
	finder      *tail.Finder
	watch       *tail.Watch // nil: nothing is watched
	state       Completeness
	notes       []string
	failed      map[string]error // files whose reading failed, by path
	refused     []tail.Refused   // of the last walk; a watch has its own
	refusedMore int
	recent      []string       // files that have changed lately, the last first
	changed     time.Time      // the last time that something was read
	ending      bool           // the store is about to be closed: nobody begins to use it
	looks       sync.WaitGroup // goroutines that use the store beside Run: of searches, and of who saves the index

	mu    sync.Mutex // guards what follows
	busy  map[string]chan struct{}
	lives map[string]*live
}

// Keep makes the archive's keeper. An archive has one at most.
func (a *Archive) Keep() *Keeper {
	k := &Keeper{archive: a, failed: map[string]error{}, busy: map[string]chan struct{}{}, lives: map[string]*live{}}
	k.state = Completeness{State: Indexing}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keeper = k
	return k
}

// Run keeps the store up to date until the context ends. While another process does, it waits for its turn. The error is that of a store that
// cannot be used; the context's end is none, and a full disk is waited for.
func (k *Keeper) Run(ctx context.Context) error {
	path := k.archive.options.StorePath()
	for ctx.Err() == nil {
		lock, err := sqlite.TryLock(path)
		if err != nil {
			return k.fail(err)
		}
		if lock == nil {
			k.setState(Completeness{})
			pause(ctx, lockWait)
			continue
		}
		err = k.hold(ctx)
		if err = errors.Join(err, lock.Release()); err == nil {
			continue
		}
		var full *sqlite.FullError
		if err = k.fail(err); !errors.As(err, &full) {
			return err
		}
		pause(ctx, housework) // somebody may make space
	}
	return nil
}

// fail notes why nothing is read.
func (k *Keeper) fail(err error) error {
	k.setState(Completeness{State: Partial, Why: "new turns are not read: " + err.Error()})
	return err
}

// CatchUp reads what is new once, and returns. If another process keeps the store up to date, there is nothing to do.
func (k *Keeper) CatchUp(ctx context.Context) error {
	lock, err := sqlite.TryLock(k.archive.options.StorePath())
	if err != nil {
		return k.fail(err)
	}
	if lock == nil {
		k.setState(Completeness{})
		return nil
	}
	err = k.begin(ctx)
	if err == nil {
		err = k.once(ctx)
	}
	if err = errors.Join(err, k.end(), lock.Release()); err != nil && ctx.Err() == nil {
		return k.fail(err)
	}
	return err
}

func (k *Keeper) once(ctx context.Context) error {
	found, err := k.finder.Walk(ctx)
	if err != nil {
		return err
	}
	k.config.Lock()
	k.refused, k.refusedMore = found.Refused, found.More
	k.config.Unlock()
	paths := make([]string, len(found.Transcripts))
	for i := range found.Transcripts {
		paths[i] = found.Transcripts[i].Path
	}
	if err := k.build(ctx, paths); err != nil {
		return err
	}
	if err := k.purge(ctx); err != nil {
		return err
	}
	return k.prepare(ctx) // a command ends with its one question, and the next one begins with the snapshot
}

// hold does the work while the lock is held.
func (k *Keeper) hold(ctx context.Context) error {
	if err := k.begin(ctx); err != nil {
		if ctx.Err() != nil {
			err = nil // the opening was interrupted, and a later one goes on
		}
		return errors.Join(err, k.end())
	}
	for ctx.Err() == nil {
		k.follow(ctx)
		k.config.Lock()
		k.finder = k.newFinder() // the project has other checkouts now
		k.config.Unlock()
	}
	return k.end()
}

// begin opens the store. A file that is none is set aside.
func (k *Keeper) begin(ctx context.Context) error {
	o := &k.archive.options
	s, err := store.Open(ctx, o.StorePath(), o.Project)
	var unreadable *sqlite.UnreadableError
	if errors.As(err, &unreadable) {
		var aside string
		if aside, err = sqlite.SetAside(o.StorePath(), o.now()); err != nil {
			return err
		}
		k.note("the archive could not be read and was set aside as " + aside)
		s, err = store.Open(ctx, o.StorePath(), o.Project)
	}
	if err != nil {
		return err
	}
	k.config.Lock()
	defer k.config.Unlock()
	k.store, k.finder, k.ending = s, k.newFinder(), false
	return nil
}

func (k *Keeper) newFinder() *tail.Finder {
	o := &k.archive.options
	return tail.NewFinder(tail.Options{Home: o.Home, Getenv: o.getenv, Dirs: o.checkouts()})
}

// end saves what the index has, and closes the store.
func (k *Keeper) end() error {
	if x := k.archive.current(); x != nil {
		k.save(x)
	}
	k.config.Lock()
	k.ending = true
	k.config.Unlock()
	k.looks.Wait()
	k.config.Lock()
	s := k.store
	k.store = nil
	k.config.Unlock()
	k.mu.Lock()
	clear(k.lives)
	k.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.Close()
}

// follow reads what changes, until the context ends or the project has other checkouts.
func (k *Keeper) follow(ctx context.Context) {
	dirs := k.archive.options.checkouts()
	w := k.finder.Watch(false)
	k.config.Lock()
	k.watch = w
	k.config.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	var building sync.WaitGroup
	defer func() {
		cancel()
		building.Wait()
		k.config.Lock()
		k.watch = nil
		k.config.Unlock()
		w.Close()
	}()
	for first := true; ; {
		wait, stop := context.WithTimeout(ctx, housework)
		paths, err := w.Next(wait)
		stop()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil: // nothing has changed for a while
			if !slices.Equal(dirs, k.archive.options.checkouts()) {
				return
			}
			k.tidy(ctx)
		case first:
			first = false
			building.Go(func() { k.first(ctx, paths) })
		default:
			k.readAll(ctx, paths)
		}
	}
}

// first reads all files once, and what is left over from before.
func (k *Keeper) first(ctx context.Context, paths []string) {
	err := k.build(ctx, paths)
	if err == nil {
		err = k.prepare(ctx)
	}
	if err != nil && ctx.Err() == nil {
		k.failedAt("", err)
	}
}

// readAll reads files one after the other.
func (k *Keeper) readAll(ctx context.Context, paths []string) {
	for _, path := range paths {
		if ctx.Err() != nil {
			return
		}
		k.changedNow(path)
		k.try(ctx, path)
	}
	if x := k.archive.current(); x != nil {
		k.bring(ctx, x)
	}
}

// try reads a file, and remembers whether that failed.
func (k *Keeper) try(ctx context.Context, path string) {
	k.ended(ctx, path, k.read(ctx, path))
}

// ended remembers how the reading of a file has ended.
func (k *Keeper) ended(ctx context.Context, path string, err error) {
	if ctx.Err() == nil { // else what was not read is read the next time
		k.failedAt(path, err)
	}
}

// failedAt remembers why a file could not be read; nil: it could.
func (k *Keeper) failedAt(path string, err error) {
	k.config.Lock()
	defer k.config.Unlock()
	if err == nil {
		delete(k.failed, path)
		return
	}
	k.failed[path] = err
}

// Hint says that a transcript has changed or will, as a hook names it. It never waits.
func (k *Keeper) Hint(path string) {
	k.config.Lock()
	w := k.watch
	k.config.Unlock()
	if w == nil {
		return // the first look finds it
	}
	if w.Hint(path) == nil {
		k.changedNow(path)
	}
}

// changedNow puts a file before the others that are looked at before a search.
func (k *Keeper) changedNow(path string) {
	k.config.Lock()
	defer k.config.Unlock()
	k.changed = k.archive.options.now()
	if i := slices.Index(k.recent, path); i >= 0 {
		k.recent = slices.Delete(k.recent, i, i+1)
	}
	k.recent = slices.Insert(k.recent, 0, path)
	k.recent = k.recent[:min(len(k.recent), mostRecent)]
}

// refresh reads the files that have changed lately, and waits for that at most 50 ms. It reports whether it is done.
func (k *Keeper) refresh(ctx context.Context) bool {
	k.config.Lock()
	if k.store == nil || k.ending || len(k.recent) == 0 {
		k.config.Unlock()
		return true
	}
	recent := slices.Clone(k.recent)
	done := make(chan struct{})
	k.looks.Go(func() {
		defer close(done)
		for _, path := range recent {
			k.try(k.archive.life, path)
		}
	})
	k.config.Unlock()
	wait := time.NewTimer(refreshWait)
	defer wait.Stop()
	select {
	case <-done:
		return true
	case <-wait.C:
	case <-ctx.Done():
	}
	return false
}

// pause waits, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
