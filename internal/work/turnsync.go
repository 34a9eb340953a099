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

// A TurnSync syncs the tracker when turns end, in the background. Make one with NewTurnSync. Goroutines: one while a sync runs,
// and one that Begin starts. Close ends both and waits for them.
type TurnSync struct {
	work  *Work
	limit time.Duration // of one sync

	ctx     context.Context
	end     context.CancelFunc
	running sync.WaitGroup

	mu   sync.Mutex
	busy bool
	last TurnSyncResult
}

// A TurnSyncResult is the outcome of the last sync at the end of a turn. The zero value: there was none.
type TurnSyncResult struct {
	At   time.Time // when it ended
	Took time.Duration
	SyncOutcome
}

// Begin starts looking for the tracker and the other programs, once, and does not wait.
func (c *TurnSync) Begin() {
	c.running.Go(func() { c.work.FindSources(c.ctx) })
}

// NewTurnSync returns a TurnSync whose syncs take at most limit each.
func NewTurnSync(w *Work, limit time.Duration) *TurnSync {
	c := &TurnSync{work: w, limit: limit}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// Events returns the ends of turns.
func (*TurnSync) Events() []protocol.Event { return []protocol.Event{protocol.Stop} }

// Hook starts a sync when a turn has ended, unless a hook has prolonged the turn. It contributes nothing to the answer.
func (c *TurnSync) Hook(_ context.Context, e *hook.Event) hook.Answer {
	if !e.StopHookActive {
		c.turn(e.Cwd)
	}
	return hook.Answer{}
}

// turn starts a sync of the tracker of a directory unless a sync runs, there is no tracker, or the project is not trusted. It does
// not wait.
func (c *TurnSync) turn(dir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy || c.ctx.Err() != nil || !tracked(dir) || !c.work.At(dir).trusts() {
		return
	}
	c.busy = true
	c.running.Go(func() { c.sync(dir) })
}

func (c *TurnSync) sync(dir string) {
	ctx, cancel := context.WithTimeout(c.ctx, c.limit)
	defer cancel()
	begin := time.Now()
	outcome := c.work.At(dir).Sync(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
	c.last = TurnSyncResult{At: time.Now(), Took: time.Since(begin), SyncOutcome: outcome}
}

// Last returns what became of the last sync.
func (c *TurnSync) Last() TurnSyncResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// Close ends a sync that runs, and waits for it.
func (c *TurnSync) Close() {
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
