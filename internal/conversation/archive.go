package conversation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tidepool/internal/conversation/store"
	"tidepool/internal/scrub"
)

// Options are the settings of an Archive and of its Keeper.
type Options struct {
	Dir     string // of the stores, one file a project; made when it is needed
	Project string // what all checkouts of the project share, see trust.Checkouts; names the store

	// Checkouts returns the directories whose sessions belong to the project, resolved: its own first. It is asked now and then, as
	// worktrees come and go.
	Checkouts func() []string

	Home   string                   // the user's home directory
	Getenv func(name string) string // reads the environment; nil: it is empty

	// Keep is how long after its last record a session stays when its transcript is gone. 0: no longer than the transcript.
	Keep    time.Duration
	Exclude []string // patterns of directories whose sessions are not read, see Archive.Exclude

	// Eager reads at the priority of other work. The zero value lets all of it go first, which beside processes that never rest takes ten
	// times as long.
	Eager bool

	Idle time.Duration    // after which the index leaves the memory; 0: 30 minutes
	Now  func() time.Time // nil: time.Now
}

func (o *Options) getenv(name string) string {
	if o.Getenv == nil {
		return ""
	}
	return o.Getenv(name)
}

func (o *Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o *Options) checkouts() []string {
	if o.Checkouts == nil {
		return nil
	}
	return o.Checkouts()
}

// StorePath returns the path of the project's store.
func (o *Options) StorePath() string {
	sum := sha256.Sum256([]byte(o.Project))
	return filepath.Join(o.Dir, hex.EncodeToString(sum[:8])+storeSuffix)
}

const storeSuffix = ".db"

// An Archive answers questions about the sessions of one project. It reads the store, which a [Keeper] fills, in this process or in
// another one. It is safe for concurrent use, and touches no file before the first question.
//
// Goroutines: one that loads the index, started by a question; Close ends it and waits for it. A timer drops the index.
type Archive struct {
	options Options
	scrub   *scrub.Scrubber
	life    context.Context // ends with Close
	end     context.CancelFunc

	mu     sync.Mutex
	store  *store.Store // nil: not opened yet, or there is none
	keeper *Keeper      // nil: another process fills the store
	loaded loading
	closed bool
}

// New returns the archive of a project. The caller closes it.
func New(o Options) (*Archive, error) {
	s, err := scrub.New(scrub.Options{})
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	return &Archive{options: o, scrub: s, life: life, end: end}, nil
}

// Close ends what is at work and releases the store. Questions after it fail.
func (a *Archive) Close() error {
	a.end()
	a.mu.Lock()
	a.closed = true
	a.drop()
	s := a.store
	a.store = nil
	a.mu.Unlock()
	a.loaded.work.Wait()
	if s == nil {
		return nil
	}
	return s.Close()
}

var errClosed = errors.New("the archive is closed")

// open returns the store, nil if nobody has made one yet.
func (a *Archive) open(ctx context.Context) (*store.Store, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, errClosed
	}
	if a.store != nil {
		return a.store, nil
	}
	s, err := store.OpenReadOnly(ctx, a.options.StorePath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	a.store = s
	return s, err
}

// write runs do with a store that can be written, beside whoever fills it: SQLite parts the transactions.
func (a *Archive) write(ctx context.Context, do func(*store.Store) error) error {
	s, err := store.Open(ctx, a.options.StorePath(), a.options.Project)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// checkout returns the directory of the project that a session ran in: a checkout, or the session's own directory if that is none
// any more.
func (a *Archive) checkout(cwd string) string {
	if dir := within(a.options.checkouts(), cwd); dir != "" {
		return dir
	}
	return cwd
}

// within returns the innermost of some directories that a path lies in; "": in none.
func within(dirs []string, path string) (innermost string) {
	for _, dir := range dirs {
		if len(dir) > len(innermost) && (path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")) {
			innermost = dir
		}
	}
	return innermost
}

func nameOf(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Base(dir)
}

func lower(s string) string { return strings.ToLower(s) }
