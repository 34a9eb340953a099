package tail

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How often is looked at files whose directories are not watched: those that are being written, and all; and at all if they are
// watched, for what a watch may miss.
const (
	liveLook    = 2 * time.Second
	slowLook    = time.Minute
	watchedLook = 10 * time.Minute
)

const (
	liveFor    = 10 * time.Minute       // a file counts as being written for so long after it has changed
	settle     = 100 * time.Millisecond // from a new directory until all files are looked at, at least
	restful    = 10                     // between looks pass so many times what the last one took, at least
	maxWatched = 1024                   // directories
)

// A Watch says which transcripts of the project have changed. It has one goroutine, run, which owns the fsnotify.Watcher and
// ends with Close.
type Watch struct {
	finder *Finder
	notify *fsnotify.Watcher // nil: there is none
	cancel context.CancelFunc
	done   chan struct{} // run has ended

	wake  chan struct{} // something is in dirty
	hints chan struct{} // something is in hinted

	mu     sync.Mutex
	dirty  map[string]bool // paths to look at; as many as there are files at most
	order  []string        // those of dirty, the first to look at first
	hinted map[string]bool // paths that a hook has named, at most maxHints
	state  State
	looked bool // all files were looked at once
	told   bool // and Next has returned since

	// Used by the goroutine of run only.
	watched map[string]string    // directories, and of those of a session its path
	stamps  map[string]stamp     // of the files when they were looked at
	live    map[string]time.Time // when a file has changed last
	look    *time.Timer          // until all files are looked at
	due     time.Time            // when that is
	took    time.Duration        // the last time
	tick    *time.Timer          // until live files are looked at
}

// maxHints is how many different files hooks can name until run has seen them. More are found by the next look.
const maxHints = 1000

// A stamp changes with a file.
type stamp struct {
	identity
	size int64
	time int64 // of its last modification, nanoseconds
}

func (t *Transcript) stamp() stamp { return stamp{t.identity(), t.Size, t.ModTime.UnixNano()} }

// A State says how fresh a Watch is.
type State struct {
	Watching bool          // changes are reported as they happen; else by looking
	Why      string        // what is not watched, and why; "": all is
	Live     time.Duration // the most until a change of a file that is being written is reported
	Rest     time.Duration // the same of other files
	Files    int           // of the project
	Refused  []Refused     // at most maxRefused
	More     int           // refused files beyond them
}

// Watch begins to watch. All files are reported first, the last modified first. looking: without a watch of the file system.
func (f *Finder) Watch(looking bool) *Watch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watch{
		finder: f, cancel: cancel, done: make(chan struct{}), wake: make(chan struct{}, 1), hints: make(chan struct{}, 1),
		dirty: map[string]bool{}, hinted: map[string]bool{}, watched: map[string]string{}, stamps: map[string]stamp{}, live: map[string]time.Time{},
	}
	w.start(looking)
	go w.run(ctx)
	return w
}

// start asks the system for a watch. Without one there are looks.
func (w *Watch) start(looking bool) {
	w.state = State{Live: liveLook, Rest: slowLook}
	switch {
	case looking:
		w.state.Why = "the file system is not watched"
		return
	case w.finder.onNetwork():
		w.state.Why = "transcripts are on a network file system, which reports no changes"
		return
	}
	if runtime.GOOS != "linux" { // kqueue
		w.state.Why = "a watch would hold every file of a directory open on this system"
		return
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		w.state.Why = "the system gives no watch (fs.inotify.max_user_instances)"
		return
	}
	w.notify, w.state.Watching, w.state.Live, w.state.Rest = notify, true, 0, 0
}

// Close ends the watch and waits until it has.
func (w *Watch) Close() {
	w.cancel()
	<-w.done
}

// Next waits until files are to be looked at, and returns their paths: those that are new, have changed, or are gone. The first
// time it returns all files, perhaps none. The error is the context's.
func (w *Watch) Next(ctx context.Context) ([]string, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.wake:
		}
		w.mu.Lock()
		if !w.looked { // a hook has named a file before
			w.mu.Unlock()
			continue
		}
		paths, first := w.order, !w.told
		w.order, w.dirty, w.told = nil, map[string]bool{}, true
		w.mu.Unlock()
		if len(paths) > 0 || first {
			return paths, nil
		}
	}
}

// Hint says that a file has changed or will soon, as a hook names it. It never waits. A path where no transcript may be is a
// *[RefusedError].
func (w *Watch) Hint(path string) error {
	path = filepath.Clean(path)
	if _, _, ok := w.finder.Locate(path); !ok {
		return &RefusedError{path, "no program keeps its transcripts there"}
	}
	w.mu.Lock()
	if len(w.hinted) < maxHints {
		w.hinted[path] = true
	}
	w.mu.Unlock()
	signal(w.hints)
	return nil
}

// State returns how fresh the watch is now.
func (w *Watch) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// report adds paths to what Next returns.
func (w *Watch) report(paths ...string) {
	w.mu.Lock()
	w.state.Files = len(w.stamps)
	for _, path := range paths {
		if !w.dirty[path] {
			w.dirty[path] = true
			w.order = append(w.order, path)
		}
	}
	w.mu.Unlock()
	if len(paths) > 0 {
		signal(w.wake)
	}
}

// lookedAtAll lets Next return for the first time, with all files or none.
func (w *Watch) lookedAtAll() {
	w.mu.Lock()
	first := !w.looked
	w.looked = true
	w.mu.Unlock()
	if first {
		signal(w.wake)
	}
}

// signal wakes whoever waits for a channel of one place.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
