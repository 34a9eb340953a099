package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// summary is one line for each finding, without the path of the home.
func (h *home) summary() []string {
	var all []string
	for _, f := range Inspect(h.Options) {
		line := "ok: " + f.What
		if !f.OK {
			line = fmt.Sprintf("%s: %s; %s", f.What, f.Problem, f.Fix)
		}
		if f.OK == (f.Problem != "" || f.Fix != "") {
			h.t.Errorf("half a finding: %+v", f)
		}
		all = append(all, strings.ReplaceAll(line, h.Home, "~"))
	}
	return all
}

func TestInspect(t *testing.T) {
	const hooksOK, serverOK = "ok: hooks in ~/project/.claude/settings.json: ~/bin/agent", "ok: MCP server in ~/project/.mcp.json: ~/bin/agent"
	tests := map[string]struct {
		prepare func(*home)
		want    []string
	}{
		"nothing": {func(*home) {}, []string{
			"hooks: none are installed; run `agent init`",
			"MCP server: not installed, so there are no tools; run `agent init`",
		}},
		"init": {func(h *home) { h.init() }, []string{hooksOK, serverOK}},
		"for a user": {func(h *home) {
			h.Scope = ScopeUser
			h.init()
			h.write(h.claudeState(), `{"mcpServers": {"tidepool": {"command": "`+h.Agent+`", "args": ["mcp"]}}}`)
		}, []string{"ok: hooks in ~/.claude/settings.json: ~/bin/agent", "ok: MCP server in ~/.claude.json: ~/bin/agent"}},
		"a link to the same program": {func(h *home) {
			h.init()
			target := filepath.Join(h.Home, "lib", "agent")
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(h.Agent, target); err != nil {
				t.Fatal(err)
			}
			h.link(target, h.Agent)
			h.Agent = target
		}, []string{hooksOK, serverOK}},
		"the program is gone": {func(h *home) { h.init(); os.Remove(h.Agent) }, []string{
			"hooks in ~/project/.claude/settings.json: there is no ~/bin/agent, and Claude Code passes over that in silence; run `agent init`",
			"MCP server in ~/project/.mcp.json: there is no ~/bin/agent, and Claude Code passes over that in silence; run `agent init`",
		}},
		"another program": {func(h *home) { h.init(); h.Agent = filepath.Join(h.Home, "new", "agent"); h.program(h.Agent) }, []string{
			"hooks in ~/project/.claude/settings.json: this is another program than ~/new/agent; run `agent init`",
			"MCP server in ~/project/.mcp.json: this is another program than ~/new/agent; run `agent init`",
		}},
		"by name only": {func(h *home) {
			h.init()
			h.write(h.servers(), `{"mcpServers": {"tidepool": {"command": "agent", "args": ["mcp"]}}}`)
		}, []string{hooksOK,
			"MCP server in ~/project/.mcp.json: without an absolute path it is looked for on Claude Code's PATH, which is not that of a terminal; run `agent init`",
		}},
		"some events": {func(h *home) {
			h.init()
			h.write(h.settings(), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "`+h.Agent+`", "args": ["hook", "stop"]}]}]}}`)
		}, []string{hooksOK, serverOK,
			"hooks: none for SessionStart, InstructionsLoaded, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, FileChanged, CwdChanged, SubagentStop, PreCompact, Elicitation, SessionEnd; run `agent init`",
		}},
		"a broken file": {func(h *home) { h.init(); h.write(h.settings(), "{\n//") }, []string{
			"~/project/.claude/settings.json: ~/project/.claude/settings.json:2: a comment, which JSON does not have; put the file right, then try again; nothing was changed",
			serverOK, "hooks: none are installed; run `agent init`",
		}},
		"switched off": {func(h *home) {
			h.init()
			h.write(h.localSite().path, `{"disableAllHooks": true, "disabledMcpjsonServers": ["tidepool"]}`)
		}, []string{hooksOK,
			"disableAllHooks in ~/project/.claude/settings.local.json: no hook runs; set it to false",
			"disabledMcpjsonServers in ~/project/.claude/settings.local.json: the server of .mcp.json was declined, so there are no tools; run `claude mcp reset-project-choices`, and say yes the next time",
			serverOK,
		}},
		"two programs": {func(h *home) {
			h.init()
			old := h.Agent
			h.Agent, h.Scope = filepath.Join(h.Home, "new", "agent"), ScopeLocal
			h.program(h.Agent)
			h.init()
			h.Agent = old
		}, []string{hooksOK,
			"hooks in ~/project/.claude/settings.local.json: this is another program than ~/bin/agent; run `agent init --local`",
			"MCP server in ~/project/.mcp.json: this is another program than ~/bin/agent; run `agent init`",
			"hooks: each event is told more than once, by ~/bin/agent and ~/new/agent; run `agent uninit` where it is not wanted",
		}},
		"WorktreeCreate": {func(h *home) {
			h.init()
			h.write(h.localSite().path, `{"hooks": {"WorktreeCreate": [{"hooks": [{"type": "command", "command": "`+h.Agent+`", "args": ["hook", "worktree-create"]}]}]}}`)
		}, []string{hooksOK,
			"WorktreeCreate in ~/project/.claude/settings.local.json: a hook there replaces git worktree: Claude Code expects it to make the worktree; remove it",
			"ok: hooks in ~/project/.claude/settings.local.json: ~/bin/agent", serverOK,
		}},
		"the plugin": {func(h *home) { h.plugin(); h.program(filepath.Join(h.Home, "plugin", "bin", "agent")) }, []string{
			"ok: plugin tidepool@tidepool, enabled in ~/.claude/settings.json, from ~/plugin",
		}},
		"the plugin without programs": {func(h *home) { h.plugin() }, []string{
			"plugin tidepool@tidepool, enabled in ~/.claude/settings.json: there is no ~/plugin/bin/agent; run `make plugin` in tidepool's source",
		}},
		"the plugin from elsewhere, and hooks": {func(h *home) {
			h.init()
			h.write(h.userSite().path, `{"enabledPlugins": {"tidepool@market": true, "other@market": true}}`)
		}, []string{hooksOK, "ok: plugin tidepool@market, enabled in ~/.claude/settings.json", serverOK,
			"hooks: each event is told twice, by the plugin and by the settings; run `agent uninit`, or uninstall the plugin",
		}},
		"the plugin of language servers, and hooks": {func(h *home) {
			h.init()
			h.write(h.userSite().path, `{"enabledPlugins": {"tidepool-lsp@market": true}}`)
		}, []string{hooksOK, "ok: plugin tidepool-lsp@market, enabled in ~/.claude/settings.json", serverOK}},
		"a plugin that is off": {func(h *home) { h.init(); h.write(h.userSite().path, `{"enabledPlugins": {"tidepool@market": false}}`) },
			[]string{hooksOK, serverOK}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			test.prepare(h)
			if diff := cmp.Diff(test.want, h.summary()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// plugin writes what `claude plugin marketplace add` and `claude plugin install` do.
func (h *home) plugin() {
	h.t.Helper()
	h.write(h.userSite().path, `{
  "extraKnownMarketplaces": {"tidepool": {"source": {"source": "directory", "path": "`+h.Home+`/plugin"}}},
  "enabledPlugins": {"tidepool@tidepool": true}
}`)
}

// What a finding calls safe, Init with its scope mends.
func TestInspectSafeFindingsAreMended(t *testing.T) {
	h := newHome(t)
	h.Scope = ScopeLocal
	h.init()
	h.Agent = filepath.Join(h.Home, "new", "agent")
	h.program(h.Agent)
	h.Scope = ScopeProject
	for _, f := range Inspect(h.Options) {
		if !f.Safe {
			t.Errorf("not safe: %+v", f)
		}
		o := h.Options
		o.Scope = f.Scope
		h.apply(Init(o))
	}
	for _, f := range Inspect(h.Options) {
		if !f.OK {
			t.Errorf("still %+v", f)
		}
	}
}
