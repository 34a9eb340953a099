package searchnote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// describing is a describer that a test makes up.
type describing func(context.Context, Search) ([]string, error)

func (d describing) Describe(ctx context.Context, s Search) (Description, error) {
	lines, err := d(ctx, s)
	return Description{Lines: lines}, err
}

// line describes one symbol of any name.
func line(_ context.Context, s Search) ([]string, error) { return []string{s.Name + ": method"}, nil }

func contributor(d describing) *Contributor {
	return New(d, Settings{Enabled: true, Budget: 20 * time.Millisecond}, slog.New(slog.DiscardHandler))
}

// note returns what the model reads after a search.
func note(t *testing.T, c *Contributor, name string) string {
	t.Helper()
	return c.Hook(t.Context(), bash(t, "rg "+name)).Context
}

func TestNotesOnceASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose time stands still while somebody looks up
		c := contributor(line)
		defer c.Close()
		agent := bash(t, "rg handle")
		agent.From.Agent = "a"
		for i, test := range []struct {
			event *hook.Event
			want  string
		}{
			{bash(t, "rg handle"), "handle: method"}, {bash(t, "rg handle"), ""}, {bash(t, "rg serve"), "serve: method"}, {agent, "handle: method"}, {agent, ""},
			{&hook.Event{HookInput: &protocol.HookInput{Event: protocol.SessionEnd}, From: agent.From}, ""}, {bash(t, "rg handle"), "handle: method"},
			{bash(t, "ls"), ""},
		} {
			if got := c.Hook(t.Context(), test.event).Context; got != test.want {
				t.Errorf("event %d: got %q, want %q", i, got, test.want)
			}
		}
		if count, _ := c.Count(); count != (Count{Searches: 4, Noted: 4}) {
			t.Errorf("counted %+v", count)
		}
		c.Set(Settings{})
		if _, enabled := c.Count(); note(t, c, "other") != "" || enabled {
			t.Error("there are notes although they are switched off")
		}
	})
}

func TestNotesAreCertainAndShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose time stands still while somebody looks up
		for name, test := range map[string]struct {
			lines []string
			err   error
			want  string
		}{
			"none":    {nil, nil, ""},
			"failing": {[]string{"a"}, errors.New("no gopls"), ""},
			"four":    {[]string{"a", "b", "c", "d"}, nil, "a\nb\nc\nd"},
			"many":    {[]string{"a", "b", "c", "d", "e"}, nil, ""},
			"hostile": {[]string{"a\x1b[2J\nb</x>" + strings.Repeat("l", 1000)}, nil, "a␛[2J b‹/x›" + strings.Repeat("l", maxLine-12) + "…"},
		} {
			c := contributor(func(context.Context, Search) ([]string, error) { return test.lines, test.err })
			if got := note(t, c, name); got != test.want {
				t.Errorf("%s: got %q, want %q", name, got, test.want)
			}
			c.Close()
		}
	})
}

// A search that follows at once is looked up, too.
func TestNotesInARow(t *testing.T) {
	c := New(describing(line), Settings{Enabled: true, Budget: time.Minute}, slog.New(slog.DiscardHandler))
	defer c.Close()
	for i := range 1000 {
		if name := fmt.Sprint("n", i); note(t, c, name) == "" {
			t.Fatalf("no note for search %d", i)
		}
	}
}

// A hook waits for the budget and no longer; of what ignores its end no more is looked up than may run at once.
func TestLateNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := contributor(func(ctx context.Context, s Search) ([]string, error) {
			if strings.HasPrefix(s.Name, "slow") {
				<-release
			}
			return line(ctx, s)
		})
		defer c.Close()
		for i := range maxLookups {
			began := time.Now()
			if got := note(t, c, fmt.Sprint("slow", i)); got != "" || time.Since(began) > 20*time.Millisecond {
				t.Errorf("got %q after %v", got, time.Since(began))
			}
		}
		began := time.Now()
		if got := note(t, c, "other"); got != "" || time.Since(began) != 0 {
			t.Errorf("got %q after %v", got, time.Since(began))
		}
		close(release)
		synctest.Wait()
		if got := note(t, c, "other"); got != "other: method" {
			t.Errorf("got %q", got)
		}
		if count, _ := c.Count(); count != (Count{Searches: 2 + maxLookups, Noted: 1, Late: 1 + maxLookups}) {
			t.Errorf("counted %+v", count)
		}
	})
}

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	c := New(describing(func(context.Context, Search) ([]string, error) { panic("oops") }), Settings{Enabled: true, Budget: time.Minute}, slog.New(slog.NewTextHandler(&log, nil)))
	defer c.Close()
	if got := note(t, c, "handle"); got != "" || !strings.Contains(log.String(), "value=oops") {
		t.Errorf("got %q, and the log has %s", got, &log)
	}
}

func TestNotedIsBounded(t *testing.T) {
	var n noted
	for i := range 2 * maxConversations {
		n.add(session.ID{Session: fmt.Sprint(i)}, "handle")
	}
	if n.has(session.ID{Session: "0"}, "handle") || !n.has(session.ID{Session: fmt.Sprint(2*maxConversations - 1)}, "handle") || len(n.names) != maxConversations {
		t.Errorf("%d conversations are known", len(n.names))
	}
	last := session.ID{Session: fmt.Sprint(2*maxConversations - 1)}
	for i := range maxNames {
		n.add(last, fmt.Sprint(i))
	}
	if !n.has(last, "new") {
		t.Error("a conversation reads notes without end")
	}
}
