package diagnostics

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// telling makes a router that tells what a lab finds, and the contributor that does.
func telling(l *lab, s Settings) (*hook.Router, *Contributor) {
	c := New(l, "/p", s, slog.New(slog.DiscardHandler))
	return hook.New(hook.Options{Parts: []hook.Part{{Name: "diagnostics", Contributor: c}}}), c
}

// ask returns the output for an input.
func ask(h *hook.Router, input json.RawMessage) string {
	return string(h.Hook(context.Background(), &protocol.HookEvent{Input: input}).Output)
}

// A lab is a Diagnoser whose language server looks at each change for a given time. Its zero value knows no errors.
type lab struct {
	mu       sync.Mutex
	takes    time.Duration // to look at a change
	wrong    string        // what is, as problems reads it
	known    string        // what was when the server had last looked
	looks    time.Time     // when it will have looked
	diagnose int           // calls
	paths    []string      // of the last
}

// change is what an edit makes of the code.
func (l *lab) change(wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle()
	l.wrong, l.looks = wrong, time.Now().Add(l.takes)
}

// settle is called with mu held.
func (l *lab) settle() {
	if !time.Now().Before(l.looks) {
		l.known = l.wrong
	}
}

func (l *lab) Known(string) map[string]Errors {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle()
	return map[string]Errors{"go": {Problems: problems(l.known)}}
}

func (l *lab) Diagnose(ctx context.Context, paths ...string) Diagnosis {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.diagnose++
	l.paths = paths
	d := Diagnosis{Before: map[string]Errors{"go": {Problems: problems(l.known)}}}
	left := time.Until(l.looks)
	l.mu.Unlock()
	if left > 0 {
		select {
		case <-time.After(left):
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	d.Over = !time.Now().Before(l.looks)
	if d.Over {
		l.known = l.wrong
	}
	d.Now = map[string]Errors{"go": {Problems: problems(l.known)}}
	return d
}

// use is the input after a tool was used on a file.
func use(session, tool, file string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":%q,"cwd":"/p","tool_name":%q,"tool_input":{"file_path":%q}}`, session, tool, file))
}

// told are the lines of errors in an output.
func told(t *testing.T, output string) string {
	t.Helper()
	var out struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(output), &out); err != nil {
		t.Fatalf("%v in %s", err, output)
	}
	if output == `{"continue":true}` {
		return ""
	}
	first, rest, _ := strings.Cut(out.HookSpecificOutput.AdditionalContext, "\n")
	if out.HookSpecificOutput.HookEventName != "PostToolUse" || !strings.HasPrefix(first, "tidepool: ") {
		t.Errorf("output %s", output)
	}
	return strings.ReplaceAll(rest, "\n", "; ")
}

var patient = Settings{Enabled: true, Budget: 300 * time.Millisecond, MaxLines: 10}

// TestErrorsAfterEdits plays a session, tool by tool. Time is the test's own.
func TestErrorsAfterEdits(t *testing.T) {
	const quick, slow = 100 * time.Millisecond, 500 * time.Millisecond
	type step struct {
		tool  string
		wrong string        // what is after it; "-": as before
		takes time.Duration // for the server to look
		after time.Duration // between the last tool and this
		want  string
	}
	tests := []struct {
		name  string
		known string
		steps []step
	}{
		{"each error once", "", []step{
			{"Edit", "/p/a:1 x", quick, 0, "a:1:1: x"},
			{"Write", "/p/a:1 x", quick, 0, ""},
			{"NotebookEdit", "/p/a:1 x; /p/b:1 y", quick, 0, ""}, // it has no notebook_path
			{"MultiEdit", "-", quick, 0, "b:1:1: y"},
			{"Edit", "", quick, 0, ""},
			{"Edit", "/p/a:1 x", quick, 0, "a:1:1: x"}, // it is back
		}},
		{"what was there is not news", "/p/old:3 y", []step{
			{"Edit", "/p/old:5 y; /p/a:1 x", quick, 0, "a:1:1: x"},
		}},
		{"only edits wait", "", []step{
			{"Read", "/p/a:1 x", quick, 0, ""},
			{"Bash", "-", quick, 0, ""},
		}},
		{"too late for the edit, told after the next tool", "", []step{
			{"Edit", "/p/a:1 x", slow, 0, ""},
			{"Read", "-", 0, 0, ""},
			{"Bash", "-", 0, time.Second, "a:1:1: x"},
			{"Edit", "-", quick, 0, ""},
		}},
		{"too late, and mended", "", []step{
			{"Edit", "/p/a:1 x", slow, 0, ""},
			{"Edit", "", quick, time.Second, ""},
		}},
		{"too late twice, then both", "/p/old:3 y", []step{
			{"Edit", "/p/old:3 y; /p/a:1 x", slow, 0, ""},
			{"Edit", "/p/old:3 y; /p/a:1 x; /p/b:1 z", slow, 0, ""},
			{"Edit", "-", quick, time.Second, "a:1:1: x; b:1:1: z"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &lab{wrong: test.known, known: test.known}
				h, c := telling(l, patient)
				for i, s := range test.steps {
					time.Sleep(s.after)
					if s.wrong != "-" {
						l.takes = s.takes
						l.change(s.wrong)
					}
					began := time.Now()
					if got := told(t, ask(h, use("s", s.tool, "/p/a"))); got != s.want {
						t.Errorf("step %d, %s: told %q, want %q", i+1, s.tool, got, s.want)
					}
					limit := patient.Budget
					if !strings.HasSuffix(s.tool, "Edit") && s.tool != "Write" {
						limit = 0
					}
					if took := time.Since(began); took > limit {
						t.Errorf("step %d, %s: took %v", i+1, s.tool, took)
					}
				}
				if n := len(c.pending.open); n != 0 {
					t.Errorf("%d conversations are remembered", n)
				}
			})
		})
	}
}

// An edit that the server has checked before its PostToolUse comes is told all the same, once; so is one behind an edit that was refused.
func TestCheckedBeforeTheHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{known: "/p/old:3 y", wrong: "/p/old:3 y", takes: time.Millisecond}
		h, c := telling(l, patient)
		about := func(id, session, event string) json.RawMessage {
			in := strings.Replace(string(use(session, "Edit", "/p/a")), "PostToolUse", event, 1)
			return json.RawMessage(strings.Replace(in, "{", `{"tool_use_id":"`+id+`",`, 1))
		}
		edit := func(id, wrong, want string) {
			t.Helper()
			if got := ask(h, about(id, "s", "PreToolUse")); got != `{"continue":true}` {
				t.Errorf("before the edit: %s", got)
			}
			l.change(wrong)
			time.Sleep(time.Second)
			if got := told(t, ask(h, about(id, "s", "PostToolUse"))); got != want {
				t.Errorf("%s: told %q, want %q", id, got, want)
			}
		}
		edit("1", "/p/old:3 y; /p/a:1 x", "a:1:1: x")
		edit("2", "/p/old:3 y; /p/a:1 x", "")
		if n := len(c.pending.open); n != 0 {
			t.Errorf("%d conversations are remembered", n)
		}
		ask(h, about("refused", "s", "PreToolUse"))
		if got := told(t, ask(h, use("s", "Read", "/p/a"))); got != "" {
			t.Errorf("after no edit: told %q", got)
		}
		edit("3", "/p/b:1 z", "b:1:1: z")
		edit("4", "/p/b:1 z; /p/b:2 z", "b:2:1: z")
		ask(h, json.RawMessage(`{"hook_event_name":"Stop","session_id":"s"}`))
		if n := len(c.pending.open); n != 0 {
			t.Errorf("%d conversations are remembered after the turn", n)
		}
		for i := range maxPending + 10 {
			ask(h, about("1", fmt.Sprint(i), "PreToolUse"))
			ask(h, about("1", "0", "PreToolUse"))
		}
		if n, expected := len(c.pending.open), len(c.pending.open[session.ID{Session: "0"}].expected); n != maxPending || expected != maxExpected {
			t.Errorf("%d conversations, %d edits expected", n, expected)
		}
	})
}

// Each conversation is told of its own edits: another session, and a subagent, has been told nothing yet.
func TestConversations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{takes: 2 * time.Second}
		h, _ := telling(l, patient)
		l.change("/p/a:1 x")
		agent := json.RawMessage(strings.Replace(string(use("s", "Edit", "/p/a")), "{", `{"agent_id":"sub",`, 1))
		for _, input := range []json.RawMessage{use("s", "Edit", "b"), use("s", "Edit", "/p/a"), agent, use("other", "Edit", "/p/a")} {
			if got := told(t, ask(h, input)); got != "" {
				t.Errorf("told %q before anything is known", got)
			}
		}
		ask(h, json.RawMessage(`{"hook_event_name":"SessionEnd","session_id":"other"}`))
		ask(h, json.RawMessage(`{"hook_event_name":"SubagentStop","session_id":"s","agent_id":"sub"}`))
		time.Sleep(2 * time.Second)
		if got := told(t, ask(h, use("other", "Bash", ""))); got != "" {
			t.Errorf("a session that has ended is told %q", got)
		}
		if got := told(t, ask(h, use("s", "Bash", ""))); got != "a:1:1: x" {
			t.Errorf("the session is told %q", got)
		}
		if want := []string{"/p/b", "/p/a"}; !slices.Equal(l.paths, want) {
			t.Errorf("looked at %q, want %q", l.paths, want)
		}
	})
}

// Two edits of one session at a time are told of an error once.
func TestConcurrentEdits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{takes: 100 * time.Millisecond}
		h, _ := telling(l, patient)
		l.change("/p/a:1 x")
		var hooks sync.WaitGroup
		all := make([]string, 4)
		for i := range all {
			hooks.Go(func() { all[i] = told(t, ask(h, use("s", "Edit", "/p/a"))) })
		}
		hooks.Wait()
		if got := strings.Join(all, ""); got != "a:1:1: x" {
			t.Errorf("told %q", all)
		}
	})
}

func TestDiagnosticsSwitch(t *testing.T) {
	l := &lab{wrong: "/p/a:1 x"}
	h, c := telling(l, Settings{})
	if got := told(t, ask(h, use("s", "Edit", "/p/a"))); got != "" || l.diagnose != 0 {
		t.Errorf("switched off, it tells %q", got)
	}
	c.Set(patient)
	if got := told(t, ask(h, use("s", "Edit", "/p/a"))); got != "a:1:1: x" {
		t.Errorf("switched on, it tells %q", got)
	}
	for _, tool := range []string{"Read", "Bash", "mcp__tidepool__scout"} {
		ask(h, use("s", tool, "/p/a"))
	}
	if l.diagnose != 1 {
		t.Errorf("asked %d times, although other tools owe nothing", l.diagnose)
	}
}

// A budget that is longer than the hook's own time leaves some of that for the answer.
func TestBudgetWithinTheHooksTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{takes: time.Hour}
		h, _ := telling(l, Settings{Enabled: true, Budget: time.Minute, MaxLines: 1})
		l.change("/p/a:1 x")
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		h.Hook(ctx, &protocol.HookEvent{Input: use("s", "Edit", "/p/a")})
		if err := ctx.Err(); err != nil {
			t.Errorf("the answer comes too late: %v", err)
		}
	})
}

func TestPendingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{takes: time.Hour}
		h, c := telling(l, Settings{Enabled: true, MaxLines: 1})
		l.change("/p/a:1 x")
		for i := range maxPending + 10 {
			ask(h, use(fmt.Sprint(i), "Edit", "/p/a"))
		}
		for i := range maxEdited + 10 {
			ask(h, use("0", "Edit", fmt.Sprintf("/p/%d", i)))
		}
		if n, files := len(c.pending.open), len(l.paths); n != maxPending || files != maxEdited {
			t.Errorf("%d conversations, %d files", n, files)
		}
	})
}

// BenchmarkEdit is one edit without errors, with a diagnoser that knows at once.
func BenchmarkEdit(b *testing.B) {
	h, _ := telling(new(lab), patient)
	event := &protocol.HookEvent{Input: use("s", "Edit", "/p/a")}
	b.ReportAllocs()
	for b.Loop() {
		h.Hook(b.Context(), event)
	}
}
