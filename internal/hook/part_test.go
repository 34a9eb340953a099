package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"tidepool/protocol"
)

// A fake is a contributor that a test makes up.
type fake struct {
	events []protocol.Event
	hook   func(context.Context, *Event) Answer
}

func (f fake) Events() []protocol.Event                  { return f.events }
func (f fake) Hook(ctx context.Context, e *Event) Answer { return f.hook(ctx, e) }

// saying is a contributor that says the same to every event.
func saying(text string) fake {
	return fake{hook: func(context.Context, *Event) Answer { return Answer{Context: text} }}
}

const passes = `{"continue":true}`

// ask returns the output for an input.
func ask(t testing.TB, r *Router, input json.RawMessage) string {
	t.Helper()
	return string(r.Hook(t.Context(), &protocol.HookEvent{Input: input}).Output)
}

// read is the context in the output for an event.
func read(t testing.TB, r *Router, name protocol.Event) string {
	t.Helper()
	var out struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(ask(t, r, event(name, "Bash", "s"))), &out); err != nil {
		t.Fatal(err)
	}
	return out.HookSpecificOutput.AdditionalContext
}

// The contexts of all parts are joined in the order of the parts, whatever their Conduct.
func TestContextsAreJoined(t *testing.T) {
	r := New(Options{Parts: []Part{
		{Name: "one", Contributor: saying("one")},
		{Name: "none", Contributor: saying(""), Conduct: Inline},
		{Name: "two", Contributor: saying("two"), Conduct: Deciding},
		{Name: "deaf", Contributor: fake{events: []protocol.Event{protocol.Stop}, hook: saying("deaf").hook}},
		{Name: "three", Contributor: saying("three"), Conduct: Inline},
	}})
	for _, name := range []protocol.Event{
		protocol.SessionStart, protocol.SubagentStart, protocol.UserPromptSubmit, protocol.PreToolUse, protocol.PostToolUse, protocol.PostToolUseFailure,
	} {
		if got := read(t, r, name); got != "one\ntwo\nthree" {
			t.Errorf("after %s the model reads %q", name, got)
		}
	}
	for _, name := range []protocol.Event{protocol.SessionEnd, "SomethingNew"} {
		if got := ask(t, r, event(name, "", "s")); got != passes {
			t.Errorf("%s has no room for context, and gets %s", name, got)
		}
	}
}

// All parts share one budget, and those that are asked first have it first.
func TestContextsShareABudget(t *testing.T) {
	const long = protocol.MaxHookText * 2 / 3
	record := NewRecord()
	r := New(Options{Record: record, Parts: []Part{
		{Name: "first", Contributor: saying(strings.Repeat("ü", long))},
		{Name: "second", Contributor: saying(strings.Repeat("2", long))},
		{Name: "third", Contributor: saying("third"), Conduct: Inline},
	}})
	got := read(t, r, protocol.SessionStart)
	if n := utf8.RuneCountInString(got); n > protocol.MaxHookText || strings.Count(got, "ü") != long || !strings.Contains(got, "2222 … [cut: ") {
		t.Errorf("%d characters, of which the end is %q", n, got[max(0, len(got)-60):])
	}
	said := record.Outcomes()[0].Contributions
	if len(said) != 3 || said[0] != (Contribution{Part: "first", Characters: long}) ||
		said[1].Characters+said[1].Cut < long || !strings.Contains(got, fmt.Sprintf("[cut: %d characters]", said[1].Cut)) {
		t.Errorf("remembered is %+v", said)
	}
}

// A tool's output that one part replaces leaves room for what others tell.
func TestReplacedOutputKeepsContexts(t *testing.T) {
	replacing := fake{hook: func(context.Context, *Event) Answer {
		return Answer{Output: &protocol.PostToolUseOutput{UpdatedToolOutput: []byte(`{"stdout":""}`)}, Context: "one"}
	}}
	r := New(Options{Parts: []Part{{Name: "replacing", Contributor: replacing, Conduct: Deciding}, {Name: "two", Contributor: saying("two")}}})
	want := `{"continue":true,"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"one\ntwo","updatedToolOutput":{"stdout":""}}}`
	if got := ask(t, r, event(protocol.PostToolUse, "Bash", "s")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The first decision counts, and what others say stands beside it.
func TestFirstDecisionCounts(t *testing.T) {
	decision := func(p protocol.Permission, reason string) fake {
		return fake{hook: func(context.Context, *Event) Answer {
			return Answer{Output: &protocol.PreToolUseOutput{Decision: p, Reason: reason}, Verdict: Verdict{Decision: p.String(), Reason: reason}}
		}}
	}
	record := NewRecord()
	r := New(Options{Record: record, Parts: []Part{
		{Name: "context", Contributor: saying("beside")},
		{Name: "first", Contributor: decision(protocol.Deny, "first"), Conduct: Deciding},
		{Name: "second", Contributor: decision(protocol.Allow, "second"), Conduct: Deciding},
	}})
	want := `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"first","additionalContext":"beside"}}`
	if got := ask(t, r, event(protocol.PreToolUse, "Bash", "s")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	o := record.Outcomes()[0]
	if said := []Contribution{{Part: "context", Characters: 6}, {Part: "first", Decided: true}}; o.Verdict != (Verdict{Decision: "deny", Reason: "first"}) || !slices.Equal(o.Contributions, said) {
		t.Errorf("remembered is %+v", o)
	}
}

// A part that panics costs what it had to say; one that decides costs the hook.
func TestPanics(t *testing.T) {
	panicking := fake{hook: func(context.Context, *Event) Answer { panic("oops") }}
	for _, conduct := range []Conduct{Apart, Inline} {
		var log bytes.Buffer
		record := NewRecord()
		r := New(Options{Record: record, Log: slog.New(slog.NewTextHandler(&log, nil)), Parts: []Part{
			{Name: "broken", Contributor: panicking, Conduct: conduct}, {Name: "whole", Contributor: saying("whole")},
		}})
		if got := read(t, r, protocol.PreToolUse); got != "whole" {
			t.Errorf("conduct %d: the model reads %q", conduct, got)
		}
		if text := log.String(); !strings.Contains(text, `in="the hook's part broken" value=oops`) {
			t.Errorf("conduct %d: the log is %s", conduct, text)
		}
		if said := record.Outcomes()[0].Contributions; len(said) != 2 || said[0] != (Contribution{Part: "broken", Failed: "it panicked, and the log says where"}) {
			t.Errorf("conduct %d: remembered is %+v", conduct, said)
		}
	}
	defer func() {
		if recover() != "oops" {
			t.Error("the failure of a part that decides is hidden")
		}
	}()
	ask(t, New(Options{Parts: []Part{{Name: "broken", Contributor: panicking, Conduct: Deciding}}}), event(protocol.PreToolUse, "Bash", "s"))
}

// A part that is late costs what it had to say, and the others still have time.
func TestLateParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var log bytes.Buffer
		obedient := fake{hook: func(ctx context.Context, _ *Event) Answer {
			<-ctx.Done()
			return Answer{Context: "in time"}
		}}
		stuck := fake{hook: func(context.Context, *Event) Answer {
			<-release
			return Answer{Context: "too late"}
		}}
		r := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Parts: []Part{
			{Name: "obedient", Contributor: obedient}, {Name: "stuck", Contributor: stuck}, {Name: "whole", Contributor: saying("whole")},
		}})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		input := event(protocol.SessionStart, "", "s")
		got := string(r.Hook(ctx, &protocol.HookEvent{Input: input}).Output)
		if ctx.Err() != nil || !strings.Contains(got, `"in time\nwhole"`) {
			t.Errorf("%v, %s", ctx.Err(), got)
		}
		if text := log.String(); !strings.Contains(text, `part=stuck event=SessionStart session=s why="it was late"`) || strings.Contains(text, "part=obedient") {
			t.Errorf("the log is %s", text)
		}
		closed := make(chan struct{})
		go func() {
			r.Close(t.Context())
			close(closed)
		}()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("the router is closed, and one of its parts still runs")
		default:
		}
		close(release)
		<-closed
	})
}

// A part that never returns is asked so many times and no more.
func TestStuckPartsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		asked := make(chan struct{}, 2*maxApart)
		r := New(Options{Parts: []Part{{Name: "stuck", Contributor: fake{hook: func(context.Context, *Event) Answer {
			asked <- struct{}{}
			<-release
			return Answer{}
		}}}}})
		for range 2 * maxApart {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			r.Hook(ctx, &protocol.HookEvent{Input: event(protocol.SessionStart, "", "s")})
			cancel()
		}
		if len(asked) != maxApart {
			t.Errorf("asked %d times, want %d", len(asked), maxApart)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r.Close(ctx) // which does not wait for ever
		close(release)
	})
}

// The bytes of an input are its connection's again when the hook has been answered; a part may still read the event.
func TestLatePartsReadTheirOwnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := make(chan string, 1)
		r := New(Options{Parts: []Part{{Name: "late", Contributor: fake{hook: func(ctx context.Context, e *Event) Answer {
			<-ctx.Done()
			time.Sleep(time.Hour)
			read <- fmt.Sprintf("%s %s", e.ToolInput, e.Raw)
			return Answer{}
		}}}}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		input := event(protocol.PostToolUse, "Bash", "s")
		want := fmt.Sprintf(`{"command":"hunter2"} %s`, input)
		r.Hook(ctx, &protocol.HookEvent{Input: input})
		for i := range input {
			input[i] = 'x'
		}
		if got := <-read; got != want {
			t.Errorf("the part reads %s", got)
		}
	})
}

// BenchmarkApart is one event for one part that runs on a goroutine of its own.
func BenchmarkApart(b *testing.B) {
	for name, conduct := range map[string]Conduct{"apart": Apart, "inline": Inline} {
		b.Run(name, func(b *testing.B) {
			r := New(Options{Parts: []Part{{Name: "one", Contributor: saying("one"), Conduct: conduct}}})
			event := &protocol.HookEvent{Input: event(protocol.PostToolUse, "Bash", "s")}
			b.ReportAllocs()
			for b.Loop() {
				r.Hook(b.Context(), event)
			}
		})
	}
}
