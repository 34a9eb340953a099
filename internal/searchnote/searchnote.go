// Package searchnote adds to a model's search for one identifier what the language servers know of the symbol.
//
// A model that searches for a bare identifier with Grep, or with rg or grep in Bash, wants to know what the identifier is and
// who uses it. The hook after such a search adds one line for each symbol of that name, at most four: "Mux.handle: method,
// mux.go:412, 11 calls in 2 files, 3 tests (find_callers for all)". It adds nothing that is not certain: nothing if a server
// would have to start, to load or to catch up, if an answer is not complete, if there are more than four symbols, or if the
// time is up. A conversation reads the note about an identifier once.
//
// References take a language server longer than a hook may wait. So the hook before the search has the symbols looked up while the
// client searches, and waits for nothing. The hook after it takes what was found; what is not ready then comes with a later tool of
// the conversation. It adds nothing if a file has changed since the lookup.
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
	// Describe describes each symbol that a search's identifier names, at most MaxLines. It describes none, and returns no error,
	// if the identifier names nothing or too much, or if what is known is not certain. It must return soon after ctx ends.
	Describe(ctx context.Context, s Search) (Description, error)
}

// A Description is what is known of the symbols of an identifier.
type Description struct {
	Lines []string // one for each symbol
	// Holds reports whether the lines are still true. It must return soon after ctx ends. nil: they are.
	Holds func(ctx context.Context) bool
}

// A Count is what became of the searches for one identifier since the daemon's start, those left out that a conversation has made
// before.
type Count struct {
	Searches int64
	Noted    int64 // got a note, some with a later tool
	Late     int64 // have got none because the time was up, or too many others were being looked up
}

// A Contributor writes the notes. Goroutines: one for each search that is being looked up, at most maxLookups; and one for each hook
// that waits for a note, which ends soon after the budget. Close cancels and waits for all. Safe for concurrent use.
type Contributor struct {
	settings  atomic.Pointer[Settings]
	describer Describer
	log       *slog.Logger
	noted     noted
	lookups   *lookups

	searches, answered, late atomic.Int64
}

// New returns a contributor.
func New(d Describer, s Settings, log *slog.Logger) *Contributor {
	c := &Contributor{describer: d, log: log, lookups: newLookups()}
	c.Set(s)
	return c
}

// Set replaces the settings for the events to come.
func (c *Contributor) Set(s Settings) { c.settings.Store(&s) }

// Close cancels the searches that are being looked up, and waits for them.
func (c *Contributor) Close() { c.lookups.close() }

// Count returns what became of the searches; false if notes are switched off.
func (c *Contributor) Count() (Count, bool) {
	return Count{Searches: c.searches.Load(), Noted: c.answered.Load(), Late: c.late.Load()}, c.settings.Load().Enabled
}

// Events returns those before and after a tool, and the end of a session.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{protocol.PreToolUse, protocol.PostToolUse, protocol.PostToolUseFailure, protocol.SessionEnd}
}

// Hook returns the note for a search, or for an earlier one.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	settings := c.settings.Load()
	switch e.Event {
	case protocol.SessionEnd:
		c.noted.forget(e.From.Session)
		c.lookups.forget(e.From.Session)
	case protocol.PostToolUseFailure:
		c.begunFor(e).drop()
	case protocol.PreToolUse:
		if search, ok := Of(e); ok && settings.Enabled && e.ToolUseID != "" && !c.noted.has(e.From.ID, search.Name) {
			c.before(e, search)
		}
	case protocol.PostToolUse:
		if settings.Enabled {
			return hook.Answer{Context: strings.Join(c.after(ctx, e, settings.Budget), "\n")}
		}
	}
	return hook.Answer{}
}

// describe asks the describer. Its failure costs the note.
func (c *Contributor) describe(ctx context.Context, s Search) (d Description) {
	defer c.survive(ctx)
	found, err := c.describer.Describe(ctx, s)
	if err != nil {
		c.log.DebugContext(ctx, "no note for a search", "err", err)
		return Description{}
	}
	if len(found.Lines) > MaxLines {
		return Description{}
	}
	if found.Holds != nil {
		d.Holds = func(ctx context.Context) (holds bool) {
			defer c.survive(ctx)
			return found.Holds(ctx)
		}
	}
	for _, line := range found.Lines {
		d.Lines = append(d.Lines, wording.Stored(line, maxLine))
	}
	return d
}

// survive ends a panic of the describer: nobody else would, on its goroutine.
func (c *Contributor) survive(ctx context.Context) {
	if v := recover(); v != nil {
		c.log.ErrorContext(ctx, "panic", "in", "the note for a search", "value", fmt.Sprint(v), "stack", string(debug.Stack()))
	}
}
