package oldnames

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tidepool/internal/wording"
	"tidepool/tools"
)

// ended notes which sessions have ended, and with what.
type ended []string

func (*ended) Begin(_ context.Context, _, task string) string { return "about " + task }

func (e *ended) End(_ context.Context, session, outcome string, distill bool) (int, error) {
	*e = append(*e, session+" "+outcome+map[bool]string{true: " distilled"}[distill])
	return 2, nil
}

func TestSessionsOfPrograms(t *testing.T) {
	now, log := time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC), new(ended)
	set := &Toolset{Root: t.TempDir(), Lifecycle: log, Now: func() time.Time { return now }}
	r := tools.NewRegistry()
	if err := r.Discover(set); err != nil {
		t.Fatal(err)
	}
	call := func(tool, arguments string) (string, error) {
		result, err := r.Call(t.Context(), tools.Call{Tool: tool}, json.RawMessage(arguments))
		return string(result.JSON), err
	}
	begin := func() string {
		var out SessionStartOutput
		text, err := call("session_start", `{"task_description":"x"}`)
		if err != nil || json.Unmarshal([]byte(text), &out) != nil || out.InjectedContext != "about x" || out.TokensUsed != 2 {
			t.Fatalf("%s %v", text, err)
		}
		return out.SessionID
	}
	first, second := begin(), begin()
	if first == second || !strings.HasPrefix(first, "sess_") || len(first) != len("sess_")+26 {
		t.Errorf("%s %s", first, second)
	}
	if out, err := call("session_end", `{"session_id":"`+first+`","outcome":"failure"}`); err != nil || out != `{"memories_extracted":2,"tokens_used":0}` {
		t.Errorf("%s %v", out, err)
	}
	for id, why := range map[string]string{
		first: "there is no session", "sess_X": "there is no session", "../x": "no id", "3F2a91c0-5d1e-4b7a-9c34-8a0f6e2d1b57": "of Claude Code",
	} {
		if _, err := call("session_end", `{"session_id":"`+id+`"}`); err == nil || !strings.Contains(err.Error(), why) || wording.HintOf(err) == "" {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := call("session_end", `{"session_id":"mine","distill":false}`); err != nil { // the program's own name of a session
		t.Error(err)
	}
	if _, err := call("session_start", `{"project_path":"/"}`); err == nil || wording.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	now = now.Add(lifetime + time.Second)
	begin()
	want := ended{first + " failure distilled", "mine not said", second + " "}
	if strings.Join(*log, ";") != strings.Join(want, ";") {
		t.Errorf("%q, want %q", *log, want)
	}
	for range maxSessions {
		begin()
	}
	if len(*log) != len(want)+1 || len(set.sessions.began) != maxSessions {
		t.Errorf("%d ended, %d are there", len(*log), len(set.sessions.began))
	}
}
