package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// A daemon is killed in the middle of a session. What the session's user said afterwards stands in the transcript alone. The next daemon
// learns it, and what the killed one had been told counts once.
func TestCatchUpAfterAKill(t *testing.T) {
	r := newRememberer(t, t.TempDir())
	transcript := filepath.Join(r.dir, ".claude", "projects", "-project", "one.jsonl")
	must(t, os.MkdirAll(filepath.Dir(transcript), 0o700))
	hook := func(session string, input map[string]any) {
		t.Helper()
		input["session_id"], input["cwd"], input["transcript_path"] = session, r.dir, transcript
		data, err := json.Marshal(input)
		must(t, err)
		_, err = daemontest.Ask[*protocol.HookResponse](t.Context(), daemontest.Socket(r.dir), &protocol.HookEvent{Input: data, Runtime: "claude"})
		must(t, err)
	}
	said := []string{"From now on always use pnpm in web, never npm.", "Please remember that tests must never use the network."}
	var lines []string
	for i, prompt := range said {
		line, err := json.Marshal(map[string]any{
			"type": "user", "uuid": fmt.Sprint("u", i), "promptId": fmt.Sprint("p", i), "sessionId": "one", "cwd": r.dir, "isSidechain": false,
			"timestamp": time.Now().UTC().Format(time.RFC3339Nano), "message": map[string]any{"role": "user", "content": prompt},
		})
		must(t, err)
		lines = append(lines, string(line))
	}
	must(t, r.start())
	hook("one", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	hook("one", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": said[0], "prompt_id": "p0"})
	hook("one", map[string]any{"hook_event_name": "Stop"}) // which waits until the memory is on the disk
	remembers := func(text string) string {
		t.Helper()
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			answer, err := r.call(t.Context(), "memory_recall", map[string]any{"query": text})
			must(t, err)
			if strings.Contains(string(answer.Result), text) {
				return string(answer.Result)
			}
			if time.Since(start) > daemontest.Patience {
				t.Fatalf("%q is not remembered: %s", text, answer.Result)
			}
		}
	}
	remembers("pnpm")
	r.kill()
	must(t, os.WriteFile(transcript, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	must(t, r.start())
	hook("two", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	remembers("network")
	expand := func(text string) string {
		t.Helper()
		found := remembers(text)
		at := strings.Index(found, "mem_")
		answer, err := r.call(t.Context(), "memory_expand", map[string]any{"id": found[at : at+len("mem_3f2a9c01b7de")]})
		must(t, err)
		return string(answer.Result)
	}
	if got := expand("pnpm"); strings.Contains(got, "merged") {
		t.Errorf("what a hook had delivered was learned twice: %s", got)
	}
}
