package work

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// A Closing keeps the tracker in step when turns end. It never makes anybody wait. The zero value is not usable: see
// NewClosing. Goroutines: one while a sync runs and one that Begin starts, ended by Close.
type Closing struct {
	work  *Work
	limit time.Duration // of one sync

	ctx     context.Context
	end     context.CancelFunc
	running sync.WaitGroup

	mu   sync.Mutex
	busy bool
	last Closed
}

// Closed is what became of the last sync at the end of a turn. The zero one: there was none.
type Closed struct {
	At   time.Time // when it ended
	Took time.Duration
	SyncOutcome
}

// Begin finds the tracker and the other programs, once, and returns at once. Goroutines: one, ended by Close.
func (c *Closing) Begin() {
	c.running.Go(func() { c.work.FindSources(c.ctx) })
}

// NewClosing makes a Closing whose syncs take so long at most.
func NewClosing(w *Work, limit time.Duration) *Closing {
	c := &Closing{work: w, limit: limit}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// Events returns the ends of turns.
func (*Closing) Events() []protocol.Event { return []protocol.Event{protocol.Stop} }

// Hook begins a sync when a turn has ended, but not when a hook has kept the turn going. It contributes nothing.
func (c *Closing) Hook(_ context.Context, e *hook.Event) hook.Answer {
	if !e.StopHookActive {
		c.turn(e.Cwd)
	}
	return hook.Answer{}
}

// turn begins a sync of the tracker of a directory unless one runs, there is no tracker, or it must not run there. It
// returns at once.
func (c *Closing) turn(dir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy || c.ctx.Err() != nil || !tracked(dir) || !c.work.At(dir).trusts() {
		return
	}
	c.busy = true
	c.running.Go(func() { c.sync(dir) })
}

func (c *Closing) sync(dir string) {
	ctx, cancel := context.WithTimeout(c.ctx, c.limit)
	defer cancel()
	begin := time.Now()
	outcome := c.work.At(dir).Sync(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
	c.last = Closed{At: time.Now(), Took: time.Since(begin), SyncOutcome: outcome}
}

// Last returns what became of the last sync.
func (c *Closing) Last() Closed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// Close ends a sync that runs, and waits for it.
func (c *Closing) Close() {
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.running.Wait()
}

// tracked reports whether a directory or one above it has issues.
func tracked(dir string) bool {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, ".beads")); err == nil && info.IsDir() {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
