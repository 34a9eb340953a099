package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/state"
)

// What cannot be understood is refused with the line, and nothing at all is touched.
func TestRefuses(t *testing.T) {
	tests := map[string]struct {
		file    string // "" is .claude/settings.json
		content string
		want    string
	}{
		"a line comment":          {content: "{\n  // mine\n  \"a\": 1\n}", want: "settings.json:2: a comment, which JSON does not have"},
		"a block comment":         {content: "/* mine */\n{}", want: "settings.json:1: a comment, which JSON does not have"},
		"a comment at the end":    {content: "{}\n\n// end\n", want: "settings.json:3: a comment, which JSON does not have"},
		"a trailing comma":        {content: "{\n\"a\": [1,\n2,\n]}", want: "settings.json:4: invalid character ']'"},
		"trailing garbage":        {content: "{}\n}", want: "settings.json:2: invalid character '}'"},
		"a cut file":              {content: "{\n  \"hooks\": {\n", want: "settings.json:2: unexpected end of JSON input"},
		"a merge conflict":        {content: "{\n<<<<<<< HEAD\n", want: "settings.json:2: invalid character '<'"},
		"NUL bytes":               {content: "\x00\x00", want: "settings.json:1: invalid character '\\x00'"},
		"deep nesting":            {content: strings.Repeat("[", 100_000), want: "settings.json:1: invalid character '[' exceeded max depth"},
		"a list":                  {content: "\n[]", want: "settings.json:2: the outermost value is not an object"},
		"null":                    {content: "null", want: "settings.json:1: the outermost value is not an object"},
		"hooks that are a list":   {content: "{\n\"hooks\": []}", want: `settings.json:2: "hooks" is not an object`},
		"hooks that are null":     {content: "{\n\"hooks\": null}", want: `settings.json:2: "hooks" is not an object`},
		"an event that is text":   {content: "{\"hooks\": {\n\"Stop\": \"true\"}}", want: `settings.json:2: "Stop" is not a list`},
		"a group that is text":    {content: "{\"hooks\": {\"Stop\": [\n\"true\"]}}", want: "settings.json:2: what stands here is not an object"},
		"a group's hooks":         {content: "{\"hooks\": {\"Stop\": [{\n\"hooks\": {}}]}}", want: `settings.json:2: "hooks" is not a list`},
		"a hook that is text":     {content: "{\"hooks\": {\"Stop\": [{\"hooks\": [\n\n\"true\"]}]}}", want: "settings.json:3: what stands here is not an object"},
		"hooks twice":             {content: "{\"hooks\": {},\n\"hooks\": {}}", want: `settings.json:2: "hooks" stands there twice`},
		"hooks twice, escaped":    {content: "{\"hooks\": {},\n\"h\\u006foks\": {}}", want: `settings.json:2: "hooks" stands there twice`},
		"an event twice":          {content: "{\"hooks\": {\"Stop\": [],\n\"Stop\": []}}", want: `settings.json:2: "Stop" stands there twice`},
		"a comment among servers": {file: ".mcp.json", content: "{\n//\n}", want: ".mcp.json:2: a comment, which JSON does not have"},
		"servers in a list":       {file: ".mcp.json", content: "{\n\"mcpServers\": []}", want: `.mcp.json:2: "mcpServers" is not an object`},
		"another server's name":   {file: ".mcp.json", content: "{\"mcpServers\": {\n\"tidepool\": {\"command\": \"other\"}}}", want: ".mcp.json:2: another server is already called tidepool"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			file := test.file
			if file == "" {
				file = ".claude/settings.json"
			}
			h.write(filepath.Join(h.Project, file), test.content)
			before := h.tree()
			_, err := Init(h.Options)
			var refused *FileError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || refused.Hint() == "" {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if diff := cmp.Diff(before, h.tree()); diff != "" {
				t.Errorf("something was touched: %s", diff)
			}
			if _, err := os.Lstat(h.stateDir()); err == nil {
				t.Error("the state directory was made")
			}
		})
	}
}

func TestRefusesOptions(t *testing.T) {
	tests := map[string]func(*home){
		"a relative agent":          func(h *home) { h.Agent = "bin/agent" },
		"another name":              func(h *home) { h.Agent = filepath.Join(h.Home, "tp"); h.program(h.Agent) },
		"a variable in the path":    func(h *home) { h.Agent = filepath.Join(h.Home, "${X}", "agent"); h.program(h.Agent) },
		"no agent":                  func(h *home) { h.Agent = filepath.Join(h.Home, "agent") },
		"an agent that cannot run":  func(h *home) { h.Agent = filepath.Join(h.Home, "agent"); h.write(h.Agent, "") },
		"the home as a project":     func(h *home) { h.Project = h.Home },
		"no project":                func(h *home) { h.Project = filepath.Join(h.Home, "none") },
		"a project that is a file":  func(h *home) { h.Project = h.Agent },
		"no way to make .tidepool":  func(h *home) { h.MakeStateDir = nil },
		"a user without a home":     func(h *home) { h.Scope, h.Home = ScopeUser, "" },
		"a dangling link":           func(h *home) { h.link("nowhere", h.settings()) },
		"a link to itself":          func(h *home) { h.link("settings.json", h.settings()) },
		"a directory as settings":   func(h *home) { h.write(filepath.Join(h.settings(), "x"), "") },
		"a file as .claude":         func(h *home) { h.write(filepath.Dir(h.settings()), "") },
		"a file that is read-only":  func(h *home) { h.write(h.settings(), "{}"); h.chmod(h.settings(), 0o444) },
		"a device":                  func(h *home) { h.link(os.DevNull, h.settings()) },
		"servers in a file of 17 M": func(h *home) { h.write(h.servers(), "{}"+strings.Repeat(" ", 17<<20)) },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			prepare(h)
			if p, err := Init(h.Options); err == nil {
				t.Errorf("planned:\n%s", p.Diff())
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
		})
	}
}

// A project that was cloned may lead us astray with links where our own files belong.
func TestFollowsNoLinkInTheStateDirectory(t *testing.T) {
	for _, name := range []string{"", "backup", "backup/settings.json"} {
		for _, plan := range []func(Options) (*Plan, error){Init, Uninit} {
			h := newHome(t)
			h.write(h.settings(), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "agent", "args": ["hook", "stop"]}]}]}}`)
			precious := filepath.Join(h.Home, "precious")
			h.write(filepath.Join(precious, "settings.json"), "{}")
			target := precious
			if filepath.Ext(name) != "" {
				target = filepath.Join(precious, "settings.json")
			}
			h.link(target, filepath.Join(h.stateDir(), name))
			if p, err := plan(h.Options); !state.IsRefused(err) {
				t.Errorf("%q: planned %v, %v", name, p, err)
			}
		}
	}
}

func (h *home) link(to, path string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) chmod(path string, mode os.FileMode) {
	h.t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		h.t.Fatal(err)
	}
}
