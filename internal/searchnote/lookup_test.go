package searchnote

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// references is how long a test's server takes for them; a hook waits less.
const references = 150 * time.Millisecond

// slowly describes symbols as a server does that takes longer than a hook may wait.
func slowly(ctx context.Context, s Search) ([]string, error) {
	select {
	case <-time.After(references):
		return line(ctx, s)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// of is a hook of one of a client's searches.
func of(t *testing.T, event protocol.Event, use, name string) *hook.Event {
	t.Helper()
	e := bash(t, "rg "+name)
	e.Event, e.ToolUseID = event, use
	return e
}

// A lookup that takes longer than a hook may wait still gives a note if it began before the search.
func TestSlowSymbolsAreToldAfterTheirSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := contributor(slowly)
		defer c.Close()
		if got := c.Hook(t.Context(), of(t, protocol.PostToolUse, "1", "handle")).Context; got != "" {
			t.Errorf("without the hook before: %q", got)
		}
		c.Hook(t.Context(), &hook.Event{HookInput: &protocol.HookInput{Event: protocol.SessionEnd}, From: session.Conversation{ID: session.ID{Session: "s"}}})
		for i, test := range []struct {
			search time.Duration // how long it takes
			want   string
		}{{references, "n0: method"}, {time.Hour, "n1: method"}, {references - 10*time.Millisecond, "n2: method"}, {references / 2, ""}} {
			use, name := fmt.Sprint("use", i), fmt.Sprint("n", i)
			began := time.Now()
			if got := c.Hook(t.Context(), of(t, protocol.PreToolUse, use, name)); got.Context != "" || time.Since(began) != 0 {
				t.Errorf("the hook before %s says %q after %v", name, got.Context, time.Since(began))
			}
			time.Sleep(test.search)
			began = time.Now()
			if got := c.Hook(t.Context(), of(t, protocol.PostToolUse, use, name)).Context; got != test.want || time.Since(began) > 20*time.Millisecond {
				t.Errorf("after %v: %q after %v, want %q", test.search, got, time.Since(began), test.want)
			}
		}
		if count, _ := c.Count(); count != (Count{Searches: 5, Noted: 3, Late: 2}) {
			t.Errorf("counted %+v", count)
		}
	})
}

// What was not ready after its search comes with a later tool of the conversation, or with the same search, once; not after a minute,
// and not if a file has changed.
func TestLateNotesComeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var version atomic.Int64
		version.Store(1)
		c := New(holding(func(ctx context.Context, s Search) (Description, error) {
			made := version.Load()
			lines, err := slowly(ctx, s)
			return Description{Lines: lines, Holds: func(context.Context) bool { return made == version.Load() }}, err
		}), Settings{Enabled: true, Budget: 20 * time.Millisecond}, slog.New(slog.DiscardHandler))
		defer c.Close()
		read := after(t, "Read", map[string]string{"file_path": "a.go"})
		other := after(t, "Read", map[string]string{"file_path": "a.go"})
		other.From.Agent = "a"
		tell := func(e *hook.Event, want string) {
			t.Helper()
			began := time.Now()
			if got := c.Hook(t.Context(), e).Context; got != want || time.Since(began) > 20*time.Millisecond {
				t.Errorf("got %q after %v, want %q", got, time.Since(began), want)
			}
		}
		tell(bash(t, "rg one"), "")
		tell(bash(t, "rg two"), "")
		tell(bash(t, "rg three"), "")
		tell(read, "")
		time.Sleep(references)
		tell(other, "")
		tell(bash(t, "rg two"), "two: method")
		tell(bash(t, "rg one"), "one: method")
		tell(read, "three: method")
		tell(read, "")
		tell(bash(t, "rg four"), "")
		time.Sleep(references)
		tell(bash(t, "rg five"), "four: method") // five is not ready
		version.Store(2)
		tell(read, "")
		tell(bash(t, "rg six"), "")
		time.Sleep(references)
		time.Sleep(maxLate)
		tell(read, "")
		if count, _ := c.Count(); count != (Count{Searches: 8, Noted: 4, Late: 4}) {
			t.Errorf("counted %+v", count)
		}
	})
}

// Parallel searches, each with its own hook before, get each their own note.
func TestParallelSearches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := contributor(slowly)
		defer c.Close()
		for i := range maxLookups + 1 {
			c.Hook(t.Context(), of(t, protocol.PreToolUse, fmt.Sprint(i), fmt.Sprint("n", i)))
		}
		time.Sleep(references)
		for i := range maxLookups + 1 {
			want := fmt.Sprintf("n%d: method", i)
			if i == maxLookups { // one too many
				want = ""
			}
			if got := c.Hook(t.Context(), of(t, protocol.PostToolUse, fmt.Sprint(i), fmt.Sprint("n", i))).Context; got != want {
				t.Errorf("search %d: %q", i, got)
			}
		}
	})
}

// A lookup for another search, or from before a change, gives no note.
func TestOnlyWhatHoldsIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var version atomic.Int64
		version.Store(1)
		c := New(holding(func(ctx context.Context, s Search) (Description, error) {
			made := version.Load()
			return Description{Lines: []string{fmt.Sprintf("%s: version %d", s.Name, made)}, Holds: func(context.Context) bool { return made == version.Load() }}, nil
		}), Settings{Enabled: true, Budget: time.Second}, slog.New(slog.DiscardHandler))
		defer c.Close()
		for i, test := range []struct {
			then func()
			post string
			want string
		}{
			{func() {}, "same", "same: version 1"},
			{func() { version.Store(2) }, "changed", "changed: version 2"},
			{func() {}, "other", "other: version 2"},
		} {
			use, before := fmt.Sprint(i), test.post
			if before == "other" {
				before = "asked"
			}
			c.Hook(t.Context(), of(t, protocol.PreToolUse, use, before))
			synctest.Wait()
			test.then()
			if got := c.Hook(t.Context(), of(t, protocol.PostToolUse, use, test.post)).Context; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		}
	})
}

// holding is a describer that a test makes up.
type holding func(context.Context, Search) (Description, error)

func (h holding) Describe(ctx context.Context, s Search) (Description, error) { return h(ctx, s) }

// Nothing is looked up before a search whose note the conversation has read, or while notes are off; what nobody takes ends, and of the
// rest a bounded number is kept.
func TestLookupsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked, ended := map[string]int{}, map[string]bool{}
		c := contributor(func(ctx context.Context, s Search) ([]string, error) {
			mu.Lock()
			asked[s.Name]++
			mu.Unlock()
			lines, err := slowly(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			ended[s.Name] = err != nil
			return lines, err
		})
		pre := func(use, name string) {
			c.Hook(t.Context(), of(t, protocol.PreToolUse, use, name))
			synctest.Wait()
		}
		pre("", "anonymous")
		pre("1", "failed")
		c.Hook(t.Context(), of(t, protocol.PostToolUseFailure, "1", "failed"))
		synctest.Wait()
		if asked["anonymous"] > 0 || !ended["failed"] {
			t.Errorf("asked %v, ended %v", asked, ended)
		}
		pre("2", "known")
		time.Sleep(references)
		c.Hook(t.Context(), of(t, protocol.PostToolUse, "2", "known"))
		pre("3", "known")
		if asked["known"] != 1 {
			t.Errorf("asked %v", asked)
		}
		for i := range 2 * maxKept {
			pre(fmt.Sprint("left", i), "left")
			time.Sleep(references)
		}
		if len(c.lookups.kept) != maxKept {
			t.Errorf("%d are kept", len(c.lookups.kept))
		}
		c.Set(Settings{})
		pre("4", "off")
		c.Set(Settings{Enabled: true, Budget: time.Second})
		pre("5", "closed")
		began := time.Now()
		if c.Close(); asked["off"] > 0 || !ended["closed"] || time.Since(began) != 0 {
			t.Errorf("asked %v, ended %v after %v", asked, ended, time.Since(began))
		}
	})
}

// A panic in a lookup ahead, or in what looks whether it holds, costs the note.
func TestPanicAhead(t *testing.T) {
	for name, d := range map[string]holding{
		"describing": func(context.Context, Search) (Description, error) { panic("oops") },
		"holding": func(context.Context, Search) (Description, error) {
			return Description{Lines: []string{"a"}, Holds: func(context.Context) bool { panic("oops") }}, nil
		},
	} {
		c := New(d, Settings{Enabled: true, Budget: time.Minute}, slog.New(slog.DiscardHandler))
		c.Hook(t.Context(), of(t, protocol.PreToolUse, "1", "handle"))
		if got := c.Hook(t.Context(), of(t, protocol.PostToolUse, "1", "handle")).Context; got != "" {
			t.Errorf("%s: got %q", name, got)
		}
		c.Close()
	}
}
