package oldnames

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tidepool/internal/wording"
	"tidepool/tools"
)

// noted notes what it is asked.
type noted []string

func (n *noted) Begin(_ context.Context, id string) string { return cmp.Or(id, "sess_NEW") }

func (n *noted) End(_ context.Context, id, outcome string, distill bool) (int, error) {
	*n = append(*n, fmt.Sprintf("%s %q %v", id, outcome, distill))
	if id == "none" {
		return 0, errors.New("there is no session")
	}
	return 2, nil
}

func TestSessionsOfPrograms(t *testing.T) {
	log := new(noted)
	set := &Toolset{Root: t.TempDir(), Sessions: log, Tell: func(_ context.Context, session, task string) string { return session + " on " + task }}
	r := tools.NewRegistry()
	if err := r.Discover(set); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ session, tool, arguments, want, err string }{
		{"", "session_start", `{"task_description":"x"}`, `{"session_id":"sess_NEW","injected_context":"sess_NEW on x","tokens_used":4}`, ""},
		{"mine", "session_start", `{}`, `{"session_id":"mine","injected_context":"mine on ","tokens_used":2}`, ""},
		{"", "session_end", `{"session_id":"mine","outcome":"failure"}`, `{"memories_extracted":2,"tokens_used":0}`, ""},
		{"", "session_end", `{"session_id":"other","distill":false}`, `{"memories_extracted":2,"tokens_used":0}`, ""},
		{"", "session_end", `{"session_id":"none"}`, ``, "there is no session"},
	} {
		call := tools.Call{Tool: tt.tool}
		call.Caller.Session = tt.session
		result, err := r.Call(t.Context(), call, json.RawMessage(tt.arguments))
		if string(result.JSON) != tt.want && tt.err == "" || (err != nil) != (tt.err != "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s %s: %s, %v", tt.tool, tt.arguments, result.JSON, err)
		}
	}
	if want := []string{`mine "failure" true`, `other "" false`, `none "" true`}; !slices.Equal(*log, want) {
		t.Errorf("%q, want %q", *log, want)
	}
	if _, err := r.Call(t.Context(), tools.Call{Tool: "session_start"}, json.RawMessage(`{"project_path":"/"}`)); err == nil || wording.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

func TestSessionOf(t *testing.T) {
	for _, tt := range []struct{ tool, arguments, want string }{
		{"safe_bash", `{"cmd":"ls","session_id":"s"}`, "s"}, {"checkpoint_save", `{"session_id":"s"}`, "s"}, {"safe_bash", `{"cmd":"ls"}`, ""},
		{"checkpoint_list", `{"session_id":"s"}`, ""}, {"session_end", `{"session_id":"s"}`, ""}, {"safe_bash", `{"session_id":1}`, ""}, {"safe_bash", `[`, ""},
	} {
		if got := SessionOf(tt.tool, json.RawMessage(tt.arguments)); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.arguments, got, tt.want)
		}
	}
}
