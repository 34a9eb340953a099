package setup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each plan begins with at most three lines that say what it does.
func TestSummary(t *testing.T) {
	h := newShellHome(t)
	h.write(h.settings(), foreign)
	check := func(what, want string, p *Plan) {
		t.Helper()
		if diff := cmp.Diff(want, p.Summary()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("init --scrub", "4 files: .tidepool/config.json (made), .claude/settings.json (changed), .claude/settings.local.json (made), .mcp.json (made)\n"+
		"13 hooks added to .claude/settings.json\n"+
		"agent-shell for Bash added to .claude/settings.local.json, MCP server tidepool added to .mcp.json\n", h.init())
	check("again", "", h.init())
	h.Scrub = false
	check("uninit", "3 files: .claude/settings.json (changed), .claude/settings.local.json (removed), .mcp.json (removed)\n"+
		"13 hooks removed from .claude/settings.json\n"+
		"agent-shell for Bash removed from .claude/settings.local.json, MCP server tidepool removed from .mcp.json\n", h.uninit())
	h.Scope = ScopeUser
	check("a user's", "1 file: .claude/settings.json (made)\n13 hooks added to .claude/settings.json\n", h.init())
	h.Agent = h.Home + "/new/agent"
	h.program(h.Agent)
	check("a new path", "1 file: .claude/settings.json (changed)\n13 hooks brought up to date in .claude/settings.json\n", h.init())
}
