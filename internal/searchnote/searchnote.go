// Package searchnote adds to a model's search for one identifier what the language servers know of the symbol.
//
// A model that searches for a bare identifier with Grep, or with rg or grep in Bash, wants to know what the identifier is and
// who uses it. The hook after such a search adds one line for each symbol of that name, at most four: "Mux.handle: method,
// mux.go:412, 11 calls in 2 files, 3 tests (find_callers for all)". It adds nothing that is not certain: nothing if a server
// would have to start, to load or to catch up, if an answer is not complete, if there are more than four symbols, or if the
// time is up. A conversation reads the note about an identifier once.
//
// Every other tool call costs a comparison of its tool's name, and a command that mentions neither rg nor grep a search of its
// text for these two words.
package searchnote

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

const (
	// MaxLines bounds the symbols of a note. Of an identifier with more of them there is no note.
	MaxLines = 4
	// maxLine bounds a line of a note, in characters.
	maxLine = 240
)

// Settings say whether there are notes. The zero value writes none.
type Settings struct {
	Enabled bool
	Budget  time.Duration // how long the hook of a search waits for its note
}

// A Describer describes symbols.
type Describer interface {
	// Describe returns a line for each symbol that a search's identifier names, at most MaxLines. It returns none, and no error,
	// if the identifier names nothing or too much, or if what is known is not certain. It must return soon after ctx ends.
	Describe(ctx context.Context, s Search) ([]string, error)
}

// A Count is what became of the searches for one identifier since the daemon's start, those left out that a conversation has made
// before.
type Count struct {
	Searches int64
	Noted    int64 // got a note
	Late     int64 // got none because the time was up, or an earlier search was still being looked up
}

// A Contributor writes the notes. Goroutines: at most one, for the search that is being looked up; its context ends with the
// budget, and Close waits for it. Safe for concurrent use.
type Contributor struct {
	settings  atomic.Pointer[Settings]
	describer Describer
	log       *slog.Logger
	noted     noted
	busy      atomic.Bool    // a search is being looked up
	lookups   sync.WaitGroup // the goroutine that does so

	searches, answered, late atomic.Int64
}

// New returns a contributor.
func New(d Describer, s Settings, log *slog.Logger) *Contributor {
	c := &Contributor{describer: d, log: log}
	c.Set(s)
	return c
}

// Set replaces the settings for the events to come.
func (c *Contributor) Set(s Settings) { c.settings.Store(&s) }

// Close waits for the search that is being looked up.
func (c *Contributor) Close() { c.lookups.Wait() }

// Count returns what became of the searches; false if notes are switched off.
func (c *Contributor) Count() (Count, bool) {
	return Count{Searches: c.searches.Load(), Noted: c.answered.Load(), Late: c.late.Load()}, c.settings.Load().Enabled
}

// Events returns those after a tool, and the end of a session.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{protocol.PostToolUse, protocol.SessionEnd}
}

// Hook returns the note for a search.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	if e.Event == protocol.SessionEnd {
		c.noted.forget(e.From.Session)
		return hook.Answer{}
	}
	settings := c.settings.Load()
	if !settings.Enabled {
		return hook.Answer{}
	}
	search, ok := Of(e)
	if !ok || c.noted.has(e.From.ID, search.Name) {
		return hook.Answer{}
	}
	c.searches.Add(1)
	lines := c.describe(ctx, search, settings.Budget)
	if len(lines) == 0 || !c.noted.add(e.From.ID, search.Name) {
		return hook.Answer{}
	}
	c.answered.Add(1)
	return hook.Answer{Context: strings.Join(lines, "\n")}
}

// describe returns the lines of a note, without those that come after the budget. One search at a time is looked up.
func (c *Contributor) describe(ctx context.Context, s Search, budget time.Duration) []string {
	if !c.busy.CompareAndSwap(false, true) {
		c.late.Add(1)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	described := make(chan []string, 1)
	c.lookups.Go(func() {
		lines := c.lookUp(ctx, s)
		c.busy.Store(false) // before the hook is answered: the next search may follow at once
		described <- lines
	})
	select {
	case lines := <-described:
		return lines
	case <-ctx.Done():
		c.late.Add(1)
		return nil
	}
}

// lookUp asks the describer. A panic costs the note.
func (c *Contributor) lookUp(ctx context.Context, s Search) (lines []string) {
	defer func() {
		if v := recover(); v != nil {
			c.log.ErrorContext(ctx, "panic", "in", "the note for a search", "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			lines = nil
		}
	}()
	found, err := c.describer.Describe(ctx, s)
	if err != nil {
		c.log.DebugContext(ctx, "no note for a search", "err", err)
		return nil
	}
	if len(found) > MaxLines {
		return nil
	}
	for _, line := range found {
		lines = append(lines, wording.Stored(line, maxLine))
	}
	return lines
}
