// Package program keeps the sessions of programs without hooks: scripts that call tools over HTTP and name a session. Claude Code's own
// sessions begin and end by its hooks, and are none of these.
//
// A session begins when a program asks for one, or at the first call that names one. It ends when the program says so, a day after the
// last call that named it, or when too many others are in use. Its owner then removes what it has.
//
// Sessions outlive the daemon. Their ids and the time of their last use are in a file, so the next daemon ends those whose day is over.
package program

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
)

const (
	idleLimit   = 24 * time.Hour   // after the last use, a session is over
	maxSessions = 1000             // that are kept
	maxID       = 128              // bytes of a session's id
	noteEvery   = 10 * time.Minute // how old the last use in the file may be; it bounds how often the file is written
	endLimit    = 5 * time.Second  // for the end of a session that nobody waits for
	prefix      = "sess_"          // of the ids that Begin makes
)

// An Owner has what belongs to sessions.
type Owner interface {
	// End removes what a session has. With distill, what it was about is remembered; the result is how many memories come from it.
	End(ctx context.Context, session, outcome string, distill bool) (memories int, err error)
	// Claims reports whether a session is one of Claude Code.
	Claims(ctx context.Context, session string) bool
}

// Options configure New. Owner must be set.
type Options struct {
	Owner Owner
	File  string       // path of the file in the state directory; "": sessions are over with the daemon
	Log   *slog.Logger // nil: nothing is logged
}

// Sessions are those that have begun and not ended. Safe for concurrent use.
//
// Goroutines: Resume starts one, which ends the sessions that are idle; Close ends it and waits for it.
type Sessions struct {
	options Options
	news    chan struct{} // has an element when the goroutine must look at the sessions again; capacity 1
	quit    context.Context
	stop    context.CancelFunc
	watch   sync.WaitGroup

	mu     sync.Mutex // guards what is below, and the file; never held while the owner is called
	loaded bool
	known  map[string]*use
	ending map[string]chan struct{} // closed when the owner is done with the session
}

// A use is the last one of a session.
type use struct {
	at    time.Time
	noted time.Time // at, in the file
}

// New returns the sessions of a file. It reads nothing.
func New(o Options) *Sessions {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Sessions{options: o, news: make(chan struct{}, 1), known: map[string]*use{}, ending: map[string]chan struct{}{}}
	s.quit, s.stop = context.WithCancel(context.Background())
	return s
}

// Begin begins a session and returns its id, which is new unless the program names one.
func (s *Sessions) Begin(ctx context.Context, id string) string {
	if id == "" {
		id = prefix + rand.Text()
	}
	s.Use(ctx, id)
	return id
}

// Use notes that a call names a session, which begins thereby if it has not. A call in a session that is being ended waits for that. The
// session that was not used for the longest time ends if there are too many.
func (s *Sessions) Use(ctx context.Context, id string) {
	if id == "" || len(id) > maxID || s.again(id) || s.options.Owner.Claims(ctx, id) {
		return
	}
	s.mu.Lock()
	for ending := s.ending[id]; ending != nil; ending = s.ending[id] {
		s.mu.Unlock()
		select {
		case <-ending:
		case <-ctx.Done():
			return
		}
		s.mu.Lock()
	}
	s.add(id)
	over := s.excess()
	s.mu.Unlock()
	if over != "" {
		s.finish(over)
	}
}

// again notes a use of a session if it is known.
func (s *Sessions) again(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	if s.known[id] == nil {
		return false
	}
	s.add(id)
	return true
}

// add notes a use, in the file if the one there is old. Callers hold mu.
func (s *Sessions) add(id string) {
	now, known := time.Now(), s.known[id]
	if known == nil {
		known = new(use)
		s.known[id] = known
		s.wake()
	}
	known.at = now
	if now.Sub(known.noted) >= noteEvery {
		s.save()
	}
}

// excess takes the session away that was not used for the longest time, if there are too many; "": there are not. Callers hold mu.
func (s *Sessions) excess() (over string) {
	if len(s.known) <= maxSessions {
		return ""
	}
	for id, u := range s.known {
		if over == "" || u.at.Before(s.known[over].at) {
			over = id
		}
	}
	s.take(over)
	return over
}

// take removes a session from those that are known, for its owner to end it. Callers hold mu, and call ended afterwards.
func (s *Sessions) take(id string) {
	delete(s.known, id)
	s.ending[id] = make(chan struct{})
}

// ended lets calls go on that wait for the end of a session.
func (s *Sessions) ended(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.ending[id])
	delete(s.ending, id)
	s.save()
}
