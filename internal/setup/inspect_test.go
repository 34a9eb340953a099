package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// quotedPath matches a path that is quoted because of the test's name in it.
var quotedPath = regexp.MustCompile(`'(~[^']*)'`)

// summary is one line for each finding, without the path of the home.
func (h *home) summary() []string {
	var all []string
	for _, f := range Inspect(h.Options) {
		if f.Name == "PATH" && f.What == "agent is found by its name" {
			continue
		}
		line := "ok: " + f.What
		if !f.OK {
			line = fmt.Sprintf("%s: %s; %s", f.What, f.Problem, f.Fix)
		}
		if f.OK == (f.Problem != "" || f.Fix != "") {
			h.t.Errorf("half a finding: %+v", f)
		}
		all = append(all, quotedPath.ReplaceAllString(strings.ReplaceAll(line, h.Home, "~"), "$1"))
	}
	return all
}

func TestInspect(t *testing.T) {
	const (
		hooksOK  = "ok: hooks in ~/project/.claude/settings.json: agent, by its name"
		serverOK = "ok: MCP server in ~/project/.mcp.json: agent, by its name"
	)
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
		"the program is gone": {func(h *home) { h.init(); os.Remove(h.Agent) }, []string{hooksOK, serverOK,
			"~/bin/agent: there is no such program; install both programs again, into one directory: run install.sh of a release",
		}},
		"a person's own, and the program is gone": {func(h *home) { h.Scope = ScopeLocal; h.init(); os.Remove(h.Agent) }, []string{
			"hooks in ~/project/.claude/settings.local.json: there is no ~/bin/agent, and Claude Code passes over that in silence; run `agent init --local`",
			"MCP server in ~/project/.mcp.json: there is no ~/bin/agent, and Claude Code passes over that in silence; run `agent init --local`",
			"~/bin/agent: there is no such program; install both programs again, into one directory: run install.sh of a release",
		}},
		"another program comes first": {func(h *home) { h.init(); h.Agent = filepath.Join(h.Home, "new", "agent"); h.program(h.Agent) }, []string{hooksOK, serverOK,
			"~/bin/agent comes first on this terminal's PATH: that is another program than ~/new/agent; put ~/new before ~/bin there, or remove the other one; or run `~/new/agent init --local`, whose files name the agent by its path",
		}},
		"not on PATH": {func(h *home) { h.init(); h.Path = "/usr/bin:." }, []string{hooksOK, serverOK,
			"~/bin is not on this terminal's PATH: Claude Code does not find the agent that the project's files name, and passes over that in silence; " +
				"put ~/bin on it (export PATH=~/bin:\"$PATH\" in the start-up file of your shell), then start the terminal and Claude Code anew; " +
				"or run `~/bin/agent init --local`, whose files name the agent by its path",
		}},
		"not on PATH, but a directory of the user's is": {func(h *home) {
			h.init()
			h.Path = filepath.Join(h.Home, ".local", "bin")
			if err := os.MkdirAll(h.Path, 0o755); err != nil {
				t.Fatal(err)
			}
		}, []string{hooksOK, serverOK,
			"~/bin is not on this terminal's PATH: Claude Code does not find the agent that the project's files name, and passes over that in silence; " +
				"run: ln -s ~/bin/agent ~/.local/bin/agent; or run `~/bin/agent init --local`, whose files name the agent by its path",
		}},
		"not on PATH, and not by name": {func(h *home) { h.Scope = ScopeLocal; h.init(); h.Path = "" }, []string{
			"ok: hooks in ~/project/.claude/settings.local.json: ~/bin/agent", "ok: MCP server in ~/project/.mcp.json: ~/bin/agent",
			"ok: ~/bin is not on this terminal's PATH: type its path, or put ~/bin on it (export PATH=~/bin:\"$PATH\" in the start-up file of your shell), then start the terminal and Claude Code anew",
		}},
		"not on the PATH of settings": {func(h *home) { h.init(); h.write(h.userSite().path, `{"env": {"PATH": "/usr/bin"}}`) }, []string{hooksOK, serverOK,
			"~/bin is not on the PATH of env in ~/.claude/settings.json: Claude Code does not find the agent that the project's files name, and passes over that in silence; " +
				"put ~/bin on it (export PATH=~/bin:\"$PATH\" in the start-up file of your shell), then start the terminal and Claude Code anew; " +
				"or run `~/bin/agent init --local`, whose files name the agent by its path",
		}},
		"by name only": {func(h *home) {
			h.init()
			h.write(h.servers(), `{"mcpServers": {"tidepool": {"command": "agent", "args": ["mcp"]}}}`)
		}, []string{hooksOK, serverOK}},
		"by a relative path": {func(h *home) {
			h.init()
			h.write(h.servers(), `{"mcpServers": {"tidepool": {"command": "bin/agent", "args": ["mcp"]}}}`)
		}, []string{hooksOK,
			"MCP server in ~/project/.mcp.json: a relative path depends on the directory in which Claude Code runs; run `agent init`",
		}},
		"some events": {func(h *home) {
			h.init()
			h.write(h.settings(), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "`+h.Agent+`", "args": ["hook", "stop"]}]}]}}`)
		}, []string{"ok: hooks in ~/project/.claude/settings.json: ~/bin/agent", serverOK,
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
			h.Agent = filepath.Join(h.Home, "new", "agent")
			h.program(h.Agent)
			h.put(h.localSite())
			h.Agent = old
		}, []string{hooksOK,
			"hooks in ~/project/.claude/settings.local.json: this is another program than ~/bin/agent; run `agent init --local`",
			serverOK,
			"hooks: each event is told more than once, by agent and ~/new/agent; run `agent uninit` where it is not wanted",
		}},
		"for a user, without the server": {func(h *home) { h.Scope = ScopeUser; h.init() }, []string{
			"ok: hooks in ~/.claude/settings.json: ~/bin/agent",
			"MCP server: not installed, so there are no tools; run: claude mcp add --scope user tidepool -- ~/bin/agent mcp",
		}},
		"the server for one person": {func(h *home) {
			h.Scope = ScopeLocal
			h.init()
			os.Remove(h.servers())
			h.write(h.claudeState(), `{"projects": {"`+h.Project+`": {"mcpServers": {"tidepool": {"command": "`+h.Agent+`", "args": ["mcp"]}}}}}`)
		}, []string{"ok: hooks in ~/project/.claude/settings.local.json: ~/bin/agent", "ok: MCP server for this project in ~/.claude.json: ~/bin/agent"}},
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
			"plugin tidepool@tidepool, enabled in ~/.claude/settings.json: there is no ~/plugin/bin/agent; run: mkdir -p ~/plugin/bin && cp ~/bin/agent ~/bin/controlserver ~/plugin/bin",
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
	h.Path = filepath.Dir(h.Agent)
	h.program(h.Agent)
	h.Scope = ScopeProject
	for _, f := range Inspect(h.Options) {
		if !f.Safe && !f.OK {
			t.Errorf("not safe: %+v", f)
		}
		if f.Safe {
			o := h.Options
			o.Scope = f.Scope
			h.apply(Init(o))
		}
	}
	for _, f := range Inspect(h.Options) {
		if !f.OK {
			t.Errorf("still %+v", f)
		}
	}
}
