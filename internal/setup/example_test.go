package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		got := decode(t, strings.ReplaceAll(written, h.Agent, test.command))
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
	for _, w := range wishes() {
		if !known[w.event] {
			t.Errorf("%s is no event", w.event)
		}
		if w.event == protocol.WorktreeCreate {
			t.Error("a hook on WorktreeCreate replaces what Claude Code does")
		}
		if w.event == protocol.SessionEnd && w.timeout != 1 {
			t.Errorf("%d s at the end of a session, which has 1.5", w.timeout)
		}
	}
}
