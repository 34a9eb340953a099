package workspace

import (
	"fmt"
	"slices"
	"time"
)

// Limits are what servers may cost while nobody asks them, and how long they may leave those who do without an answer.
type Limits struct {
	Idle   time.Duration // 0: for ever
	Draft  time.Duration // the same, of one for drafts
	Memory int64         // bytes of one; 0: any
	Budget int64         // bytes of this program and all that it has started; 0: any

	// GiveWay has what the program has started beside the servers end, where nobody waits for it, and reports whether it had any. nil: it
	// has none.
	GiveWay     func() bool
	HangTimeout time.Duration // how long one may send nothing once a caller has given up; 0: any time
	Interval    time.Duration // how often all this is checked
}

// DefaultInterval is how often memory, idleness and hanging are checked.
const DefaultInterval = 10 * time.Second

// An Event is what became of a server without anybody asking.
type Event struct {
	Language string // ID
	Tree     string // the directory that it serves; "": all of the project's
	Drafts   bool   // it is one for drafts
	What     string // one line: "stopped: nobody has asked for 30m0s"
	Ended    bool   // it ended by itself
	GaveUp   bool   // it did so too often, and is not started again before something changes
}

// guard looks after what servers cost, and whether they live, until the project is closed.
func (w *Workspace) guard() {
	ticks := time.NewTicker(w.limits.Interval)
	defer ticks.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-ticks.C:
		}
		if w.runs() {
			w.EnforceBudget()
		}
		for _, s := range w.Servers() {
			s.RestartIfHung(w.limits)
			s.EnforceLimits(w.limits)
			s.collectGarbage()
		}
		w.dropTrees()
	}
}

// runs reports whether a server has a process.
func (w *Workspace) runs() bool {
	return slices.ContainsFunc(w.Servers(), func(s *Server) bool { return s.Living() != nil })
}

// EnforceLimits stops a server that nobody needs, and one for drafts that occupies more than the limit, and restarts another that has
// grown above the limit since it knew the project; none that somebody waits for, and none twice within evictionPause because of the limit.
func (s *Server) EnforceLimits(limits Limits) {
	s.mu.Lock()
	unasked, memory := time.Since(s.asked), s.memory
	s.mu.Unlock()
	idle := limits.Idle
	if s.drafts != nil {
		idle = limits.Draft
	}
	switch {
	case idle > 0 && unasked > idle:
		s.rest(fmt.Sprintf("stopped: nobody has asked for %v", idle))
	case limits.Memory == 0 || memory.bytes <= limits.Memory || !memory.evictable(time.Now(), overLimit):
	case s.drafts != nil || memory.hasGrown():
		s.evict(overLimit, s.drafts == nil,
			fmt.Sprintf("it occupied %d MB, more than the limit of %d MB", memory.bytes>>20, limits.Memory>>20))
	}
}

// quietTime is how long nobody must have asked a server before it is told to collect its garbage, which takes processor time.
const quietTime = 3 * time.Second

// collectGarbage tells a server that rests to give back what it does not need.
func (s *Server) collectGarbage() {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.session
	if live == nil || s.closed || s.holds > 0 || s.Language.Collect == nil || time.Since(s.asked) < quietTime {
		return
	}
	if !live.Progress.Settled() || !s.memory.isWorthCollecting() {
		return
	}
	s.memory.noteCollection()
	s.workspace.running.Go(func() {
		_ = s.Language.Collect(s.workspace.ctx, live) // one that cannot is as it was
	})
}

// DefaultHangTimeout is how long a server may send nothing once a caller has given up a request. It may be at work on that all
// the same, and would begin anew if it were ended: pyright 1.1.414, at a hover in 3.6 MB that was cancelled after 2 s, said
// nothing for 21 s, and knew it then.
const DefaultHangTimeout = 5 * time.Minute

// RestartIfHung ends a session that hangs, as if it had ended by itself, and starts the next one; that of a server for drafts
// starts with the next of them.
func (s *Server) RestartIfHung(limits Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.session
	if live == nil || s.closed {
		return
	}
	cause := live.Hung(limits.HangTimeout, limits.Interval)
	if cause == "" {
		return
	}
	reason := s.ended(live.Exit(cause), live.Lived())
	if s.drafts != nil || s.state == Failed {
		s.retire(live, reason, "stopped: "+cause)
		return
	}
	s.retire(live, reason, "restarted: "+cause)
	s.startLocked() // what goes wrong shows in the next View
}
