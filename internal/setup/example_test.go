package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/protocol"
)

// The example and the plugin that people read say what Init writes.
func TestExamplesSayWhatInitWrites(t *testing.T) {
	tests := []struct{ example, command string }{
		{"../../.tidepool.example/settings.json", "agent"},
		{"../../.tidepool.example/.mcp.json", "agent"},
		{"../../plugin/hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}/bin/agent"},
		{"../../plugin/.mcp.json", "${CLAUDE_PLUGIN_ROOT}/bin/agent"},
	}
	h := newHome(t)
	h.init()
	for _, test := range tests {
		written := h.read(h.settings())
		if filepath.Base(test.example) == ".mcp.json" {
			written = h.read(h.servers())
		}
		want, err := os.ReadFile(test.example)
		if err != nil {
			t.Fatal(err)
		}
		got := decode(t, strings.ReplaceAll(written, `"command": "agent"`, `"command": "`+test.command+`"`))
		if diff := cmp.Diff(decode(t, string(want)), got); diff != "" {
			t.Errorf("%s (-it says +init writes):\n%s", test.example, diff)
		}
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestWishesAreKnownEventsInTime(t *testing.T) {
	known := map[protocol.Event]bool{}
	for _, e := range protocol.Events() {
		known[e] = true
	}
	for _, w := range wantedHooks() {
		if !known[w.event] {
			t.Errorf("%s is no event", w.event)
		}
		if w.event == protocol.WorktreeCreate {
			t.Error("a hook on WorktreeCreate replaces what Claude Code does")
		}
	}
}

// A hook ends by itself before the client kills it, by what each file that people install says: a hook that is killed
// refuses nothing.
func TestHooksEndBeforeTheirTimeout(t *testing.T) {
	h := newHome(t)
	h.init()
	texts := map[string]string{"what init writes": h.read(h.settings())}
	for _, path := range []string{"../../.tidepool.example/settings.json", "../../plugin/hooks/hooks.json"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	for name, text := range texts {
		var settings struct{ Hooks map[protocol.Event][]group }
		if err := json.Unmarshal([]byte(text), &settings); err != nil || len(settings.Hooks) != len(wantedHooks()) {
			t.Fatalf("%s: %d events, %v", name, len(settings.Hooks), err)
		}
		for event, groups := range settings.Hooks {
			given := time.Duration(groups[0].Hooks[0].Timeout) * time.Second
			if limit := protocol.TimeOf(event).Limit; limit > given-min(given/5, 30*time.Second) {
				t.Errorf("%s: the agent may take %v for %s, and is killed after %v", name, limit, event, given)
			}
		}
	}
	// What Claude Code gives where nobody says: 600 s, but for these.
	for event, given := range map[protocol.Event]time.Duration{
		protocol.UserPromptSubmit: 30 * time.Second, protocol.MessageDisplay: 10 * time.Second, protocol.SessionEnd: 1500 * time.Millisecond,
	} {
		if limit := protocol.TimeOf(event).Limit; limit > given*4/5 {
			t.Errorf("the agent may take %v for %s, and is killed after %v", limit, event, given)
		}
	}
}
