package recall

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"tidepool/internal/netfs"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/sqlite"
	"tidepool/internal/wording"
)

const (
	databaseName = "memory.db"
	openWait     = time.Minute // for the database
)

// A Store remembers for one project. It is safe for concurrent use.
//
// Goroutines: one that writes what was learned, one that keeps the index, and with an embedder one that makes vectors. Close ends them
// and waits for them.
type Store struct {
	options    Options
	place      place
	db         *store.DB
	refiner    refiner
	queue      *queue
	vectors    *vectors // nil: none are made
	live       *live    // nil: the index is not used
	told       *tellings[uint32]
	toldShared *tellings[string] // of the team's memories, by their ids
	stale      *staleness
	greeter    greeter
	life       context.Context // ends with Close
	end        context.CancelFunc
	work       sync.WaitGroup // the goroutine of live
}

// A place is where the database is.
type place struct {
	path  string
	why   string // why it is not the user's; "": it is
	aside string // what was there and could not be read was moved to; "": nothing was
}

// Open opens the memories, as a daemon needs them, and makes the database if there is none. It takes some ten milliseconds; the index is
// loaded in the background. The error is an *OffError. The caller closes the store.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := OpenDatabase(ctx, o)
	if err != nil {
		return nil, err
	}
	s.live = newLive(s.db, s.options.Log, s.clean)
	s.work.Go(func() { s.live.run(s.life) })
	if s.options.Embedder != nil {
		s.vectors = &vectors{s.db, s.options.Embedder, s.options.Log, embedAtQuery}
		s.work.Go(func() { s.vectors.run(s.life) })
	}
	return s, nil
}

// OpenDatabase opens the memories without an index, for a command that ends soon. Recall, Recollect and Why then are an *IndexError. The
// error is an *OffError. The caller closes the store.
func OpenDatabase(ctx context.Context, o Options) (*Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openWait)
	defer cancel()
	o, err := o.filled()
	if err != nil {
		return nil, &OffError{err}
	}
	at, err := placeOf(&o, netfs.Is)
	if err != nil {
		return nil, &OffError{err}
	}
	db, err := openAt(ctx, &at, o.Now())
	if err != nil {
		return nil, &OffError{err}
	}
	if err := settle(ctx, db, o.Project, o.Now()); err != nil {
		return nil, &OffError{errors.Join(err, db.Close())}
	}
	s := &Store{options: o, place: at, db: db, refiner: newRefiner(o.Scrub), queue: newQueue(), told: newTellings(db.Told), toldShared: newTellings(db.ToldShared), stale: newStaleness(&o)}
	s.life, s.end = context.WithCancel(context.Background())
	return s, nil
}

// placeOf returns where the database is. isNetwork reports whether a directory is on a network file system.
func placeOf(o *Options, isNetwork func(dir string) bool) (place, error) {
	switch {
	case o.Dir == "" && o.Fallback == "":
		return place{}, errNoPlace
	case o.Dir == "":
		return place{path: filepath.Join(o.Fallback, databaseName), why: errNoPlace.Error()}, nil
	case o.Fallback != "" && isNetwork(existing(o.Dir)):
		return place{path: filepath.Join(o.Fallback, databaseName), why: o.Dir + " is on a network file system"}, nil
	}
	return place{path: filepath.Join(o.Dir, databaseName)}, nil
}

// Exists reports whether there is a database that Open would open. Without one nothing is remembered.
func Exists(o Options) bool {
	o, err := o.filled()
	if err != nil {
		return false
	}
	at, err := placeOf(&o, netfs.Is)
	return err == nil && !isGone(at.path)
}

// existing returns the nearest directory that is there, a path or one above it.
func existing(path string) string {
	for isGone(path) && path != filepath.Dir(path) {
		path = filepath.Dir(path)
	}
	return path
}

// openAt opens the database. A file that is none is renamed, and a new one made in its place.
func openAt(ctx context.Context, at *place, now time.Time) (*store.DB, error) {
	db, err := store.Open(ctx, at.path)
	var unreadable *sqlite.UnreadableError
	if !errors.As(err, &unreadable) {
		return db, err
	}
	lock, err := takeLock(ctx, at.path)
	if err != nil {
		return nil, err
	}
	if db, err = store.Open(ctx, at.path); errors.As(err, &unreadable) { // nobody was faster
		if at.aside, err = sqlite.SetAside(at.path, now); err == nil {
			db, err = store.Open(ctx, at.path)
		}
	}
	return db, errors.Join(err, lock.Release())
}

// takeLock takes the lock of a file that processes write one after another. The context ends the wait.
func takeLock(ctx context.Context, path string) (*sqlite.Lock, error) {
	for {
		lock, err := sqlite.TryLock(path)
		if lock != nil || err != nil {
			return lock, err
		}
		if err := sleep(ctx, 5*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// Close writes what was learned and the snapshot of the index, and closes the database. The context bounds how long that takes; the error
// says what was lost.
func (s *Store) Close(ctx context.Context) error {
	err := s.queue.close(ctx)
	s.end()
	s.work.Wait()
	s.stale.close()
	if s.live != nil && err == nil {
		err = s.live.save(ctx)
	}
	return errors.Join(err, s.db.Close())
}

// Database returns the database, for the journal.
func (s *Store) Database() *store.DB { return s.db }

// Project returns the project that the store is of.
func (s *Store) Project() memory.Project { return s.options.Project }

func cutNote(text string) string { return wording.Line(text, maxNote) }
