package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"tidepool/internal/setup/client"
)

// newClientHome returns a home with the agent on PATH, to be set up for a client.
func newClientHome(t *testing.T, name string) *home {
	t.Helper()
	h := newHome(t)
	c, is := client.Find(name)
	if !is {
		t.Fatal("no client", name)
	}
	h.Client = &c
	h.Getenv = func(name string) string { return map[string]string{"PATH": "/nowhere:" + filepath.Dir(h.Agent)}[name] }
	return h
}

// file returns the client's first file in the scope.
func (h *home) file() string { return h.clientSites(*h.Client)[0].path }

// A new project gets the entries, a second init changes nothing, and uninit leaves nothing behind. testdata/clients has the files.
func TestClientsInAProject(t *testing.T) {
	for _, c := range client.All() {
		t.Run(c.Name, func(t *testing.T) {
			h := newClientHome(t, c.Name)
			before := h.tree()
			plan := h.init()
			h.compare("testdata/clients/" + c.Name + ".txtar")
			if !strings.Contains(plan.Diff(), "tidepool") {
				t.Errorf("the diff is %s", plan.Diff())
			}
			if again := h.init(); len(again.Changes) != 0 {
				t.Errorf("a second init changes\n%s", again.Diff())
			}
			for _, f := range InspectClients(h.Options) {
				if !f.OK || f.Client != c.Title {
					t.Errorf("found %+v", f)
				}
			}
			h.uninit()
			if diff := cmp.Diff(before, h.tree()); diff != "" {
				t.Errorf("uninit leaves (-want +got):\n%s", diff)
			}
		})
	}
}

// compare compares the client's files with a golden file, or writes that with -update.
func (h *home) compare(golden string) {
	h.t.Helper()
	var archive txtar.Archive
	for _, s := range h.clientSites(*h.Client) {
		name, err := filepath.Rel(h.Project, s.path)
		if err != nil {
			h.t.Fatal(err)
		}
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(h.read(s.path))})
	}
	got := txtar.Format(&archive)
	if *update {
		h.write(golden, string(got))
	}
	if diff := cmp.Diff(h.read(golden), string(got)); diff != "" {
		h.t.Errorf("(-want +got):\n%s", diff)
	}
}

// Hooks of others stay, those of ours with another program or event are put right, and an edited group keeps its matcher.
func TestClientHooksAmongOthers(t *testing.T) {
	h := newClientHome(t, "codex")
	path := h.clientSites(*h.Client)[1].path
	const before = `{
  "hooks": {
    "PreToolUse": [
      {"matcher": "^Bash$", "hooks": [{"type": "command", "command": "'/old dir/agent' hook stop --runtime codex", "timeout": 3}, {"type": "command", "command": "other hook pre-tool-use --runtime codex"}]}
    ],
    "Stop": [ // mine
      {"hooks": [{"type": "command", "command": "agent hook stop --runtime claude"}]}
    ]
  }
}
`
	h.write(path, before)
	h.init()
	text := h.read(path)
	for _, want := range []string{
		`{"matcher": "^Bash$", "hooks": [{"type": "command", "command": "agent hook pre-tool-use --runtime codex", "timeout": 3}, {"type": "command", "command": "other`,
		`"Stop": [ // mine`, `"agent hook stop --runtime claude"`, `"agent hook stop --runtime codex"`, `"agent hook session-start --runtime codex"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	h.uninit()
	want := strings.Replace(before, `{"type": "command", "command": "'/old dir/agent' hook stop --runtime codex", "timeout": 3}, `, "", 1)
	if diff := cmp.Diff(want, h.read(path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A hook that is missing among others of ours is a finding; a file without any is none.
func TestClientHooksThatAreMissing(t *testing.T) {
	h := newClientHome(t, "gemini")
	h.init()
	text := h.read(h.file())
	h.write(h.file(), strings.Replace(text, "BeforeTool", "Other", 1))
	found := InspectClients(h.Options)
	if len(found) != 2 || !found[0].OK || found[1].OK || found[1].Fix != "run `agent init --client gemini`" {
		t.Errorf("found %+v", found)
	}
	start := strings.Index(text, ",\n  \"hooks\"")
	h.write(h.file(), text[:start]+"\n}\n")
	if found := InspectClients(h.Options); len(found) != 1 || !found[0].OK {
		t.Errorf("found %+v", found)
	}
}

// A relative path is not looked up on PATH: a clone may have a program of its own there.
func TestClientEntryWithARelativePath(t *testing.T) {
	h := newClientHome(t, "cursor")
	h.init()
	h.write(h.file(), strings.Replace(h.read(h.file()), `"agent"`, `"./agent"`, 1))
	found := InspectClients(h.Options)
	if len(found) == 0 || found[0].OK || !strings.Contains(found[0].Problem, "relative path") || found[0].Fix != "run `agent init --client cursor`" {
		t.Errorf("found %+v", found)
	}
	h.init()
	if text := h.read(h.file()); strings.Contains(text, "./agent") {
		t.Errorf("init leaves\n%s", text)
	}
}

// A path with a blank is quoted for the shell, and found again.
func TestClientHooksQuoteThePath(t *testing.T) {
	h := newClientHome(t, "gemini")
	h.Scope, h.Agent = ScopeUser, filepath.Join(h.Home, "it's my bin", "agent")
	h.program(h.Agent)
	h.init()
	if text := h.read(h.file()); !strings.Contains(text, `it'\\''s my bin/agent' hook pre-tool-use --runtime gemini"`) {
		t.Errorf("%s", text)
	}
	for _, f := range InspectClients(h.Options) {
		if !f.OK || !strings.HasSuffix(f.What, h.Agent) {
			t.Errorf("%+v", f)
		}
	}
	if h.uninit(); exists(h.file()) {
		t.Errorf("left\n%s", h.read(h.file()))
	}
}

// A user's file names the program by its path, and directories that are missing are made.
func TestClientsOfAUser(t *testing.T) {
	for name, file := range map[string]string{
		"codex": ".codex/config.toml", "gemini": ".gemini/settings.json", "cursor": ".cursor/mcp.json", "opencode": ".config/opencode/opencode.json",
	} {
		t.Run(name, func(t *testing.T) {
			h := newClientHome(t, name)
			h.Scope = ScopeUser
			h.init()
			path := filepath.Join(h.Home, file)
			if text := h.read(path); !strings.Contains(text, h.Agent) {
				t.Errorf("%s", text)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			h.uninit()
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
		})
	}
}

func TestUsersOwnPlaces(t *testing.T) {
	elsewhere := map[string]string{"CODEX_HOME": "/x/codex", "GEMINI_CLI_HOME": "/x/gemini", "XDG_CONFIG_HOME": "/x/config"}
	for name, want := range map[string]string{
		"codex": "/x/codex/config.toml", "gemini": "/x/gemini/.gemini/settings.json", "opencode": "/x/config/opencode/opencode.json",
	} {
		h := newClientHome(t, name)
		h.Scope, h.Getenv = ScopeUser, func(name string) string { return elsewhere[name] }
		if got := h.file(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Of opencode's two files the one that is there is used.
func TestOpencodeWithComments(t *testing.T) {
	h := newClientHome(t, "opencode")
	path := filepath.Join(h.Project, "opencode.jsonc")
	const before = "{\n  // mine\n  \"mcp\": {\"x\": {\"type\": \"remote\",},},\n}\n"
	h.write(path, before)
	h.init()
	if text := h.read(path); !strings.Contains(text, `{"x": {"type": "remote",}, "tidepool": {"type":"local","command":["agent","mcp"],"enabled":true},},`) {
		t.Errorf("%s", text)
	}
	if h.uninit(); h.read(path) != before {
		t.Errorf("%s", h.read(path))
	}
}

// If PATH leads to no agent, or to another program of that name, the path is written, and a note says why.
func TestClientsWithoutTheAgentOnPath(t *testing.T) {
	h := newClientHome(t, "cursor")
	other := filepath.Join(h.Home, "other", "agent")
	h.program(other)
	h.Getenv = func(string) string { return filepath.Dir(other) + ":" + filepath.Dir(h.Agent) }
	plan := h.init()
	if text := h.read(h.file()); !strings.Contains(text, h.Agent) {
		t.Errorf("%s", text)
	}
	if notes := strings.Join(plan.Notes, "\n"); !strings.Contains(notes, "on PATH") {
		t.Errorf("notes: %s", notes)
	}
	h.write(h.file(), strings.ReplaceAll(h.read(h.file()), h.Agent, "agent"))
	found := InspectClients(h.Options)
	if len(found) == 0 || found[0].OK || !strings.Contains(found[0].Problem, other+" is another program") || found[0].Fix != "run `agent init --client cursor`" {
		t.Errorf("found %+v", found)
	}
}

// An entry that somebody has changed keeps what it has besides the program.
func TestClientsChangeTheProgramAlone(t *testing.T) {
	for name, before := range map[string]string{
		"codex":    "# mine\n[mcp_servers.tidepool]\ncommand = \"/old/agent\" # where\nargs = [\"mcp\"]\nstartup_timeout_sec = 20\n",
		"cursor":   "{\"mcpServers\": {\"tidepool\": {\"timeout\": 5, \"command\": \"/old/agent\", \"args\": [\"mcp\"]}}} // end\n",
		"opencode": "{\"mcp\": {\"tidepool\": {\"type\": \"local\", \"command\": [\"/old/agent\", \"mcp\"], \"timeout\": 5}}}\n",
	} {
		h := newClientHome(t, name)
		h.write(h.file(), before)
		h.init()
		want := strings.ReplaceAll(before, "/old/agent", "agent")
		if name == "codex" {
			want = strings.ReplaceAll(want, `"agent"`, "'agent'")
		}
		if got := h.read(h.file()); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestClientsRefuse(t *testing.T) {
	tests := map[string]struct{ client, content, want string }{
		"another server of the name": {"codex", "\n[mcp_servers.tidepool]\nurl = 'https://x'\n", "config.toml:2: another server is already called tidepool"},
		"another one in JSON":        {"gemini", "{\"mcpServers\": {\n\"tidepool\": {\"httpUrl\": \"x\"}}}", "settings.json:2: another server is already called tidepool"},
		"broken TOML":                {"codex", "a = 1\nb == 2\n", "config.toml:2: "},
		"broken JSON":                {"cursor", "{\n\"a\": ,}", "mcp.json:2: "},
		"a list":                     {"opencode", "{\n\"mcp\": []}", "opencode.json:2: "},
		"an inline table":            {"codex", "[mcp_servers]\ntidepool = {command = '/old/agent', args = ['mcp']}\n", "config.toml:1: the server tidepool has no header"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newClientHome(t, test.client)
			h.write(h.file(), test.content)
			_, err := Init(h.Options)
			refused, is := errors.AsType[*FileError](err)
			if !is || !strings.Contains(err.Error(), test.want) || refused.Hint() == "" {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// A clone may bring a link to a file of the user: neither the link nor one above it is followed.
func TestClientsFollowNoLinks(t *testing.T) {
	for _, link := range []string{".codex", ".codex/config.toml"} {
		h := newClientHome(t, "codex")
		own := filepath.Join(h.Home, ".codex")
		h.write(filepath.Join(own, "config.toml"), "model = 'x'\n")
		target, path := own, filepath.Join(h.Project, link)
		if link != ".codex" {
			target = filepath.Join(own, "config.toml")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		for _, plan := range []func(Options) (*Plan, error){Init, Uninit} {
			if _, err := plan(h.Options); err == nil || !strings.Contains(err.Error(), "a symbolic link, which is not followed") {
				t.Errorf("%s: %v", link, err)
			}
		}
		if found := InspectClients(h.Options); len(found) == 0 || found[0].OK {
			t.Errorf("found %+v", found)
		}
	}
}

// Uninit of Claude Code says what other clients keep.
func TestUninitLeavesOtherClients(t *testing.T) {
	h := newClientHome(t, "opencode")
	h.init()
	h.Client = nil
	plan, err := Uninit(h.Options)
	if err != nil || !strings.Contains(strings.Join(plan.Left, "\n"), "`agent uninit --client opencode` takes them out") {
		t.Errorf("left %q, %v", plan.Left, err)
	}
}

func TestSwitchedOffIsFound(t *testing.T) {
	h := newClientHome(t, "codex")
	h.write(h.file(), "[mcp_servers.tidepool]\ncommand = 'agent'\nargs = ['mcp']\nenabled = false\n")
	if found := InspectClients(h.Options); len(found) != 1 || found[0].OK || !strings.Contains(found[0].Problem, "enabled = false") {
		t.Errorf("found %+v", found)
	}
}

// A program whose path a client would read as something else is refused.
func TestClientsRefuseAnOddPath(t *testing.T) {
	h := newClientHome(t, "gemini")
	h.Agent = filepath.Join(h.Home, "a$HOME", "agent")
	h.program(h.Agent)
	if _, err := Init(h.Options); err == nil || !strings.Contains(err.Error(), "cannot be written into the files of Gemini CLI") {
		t.Errorf("%v", err)
	}
}

// Whatever stands in a file, uninit gives its bytes back.
func TestPropertyClientsUninitUndoesInit(t *testing.T) {
	t.Parallel() // it waits for the disk
	homes := map[string]*home{}
	for _, c := range client.All() {
		homes[c.Name] = newClientHome(t, c.Name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"codex", "gemini", "cursor", "opencode"}).Draw(t, "client")
		h, before := homes[name], drawClientFile(t, name)
		h.write(h.file(), before)
		h.init()
		if p := h.init(); len(p.Changes) != 0 {
			t.Fatalf("%s: a second init would change\n%s", name, p.Diff())
		}
		h.uninit()
		if got := h.read(h.file()); got != before {
			t.Fatalf("%s, before and after:\n%q\n%q", name, before, got)
		}
	})
}

// drawClientFile returns a text with comments and other entries, in a random layout.
func drawClientFile(t *rapid.T, name string) string {
	pick := func(from ...string) string { return rapid.SampledFrom(from).Draw(t, "text") }
	eol := pick("\n", "\r\n")
	if name == "codex" {
		var b strings.Builder
		b.WriteString(pick("", "# mine"+eol, "model = \"x\""+eol, eol))
		for _, table := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"[mcp_servers]", "[mcp_servers.other]", "[features] # on"}), rapid.ID).Draw(t, "tables") {
			b.WriteString(table + eol + pick("", "# why"+eol) + pick("a = [1,"+eol+" 2]", "b = '''"+eol+"[x]'''", "") + pick("", eol, eol+eol))
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteString(eol)
			}
		}
		return b.String() + pick("", "# end", eol)
	}
	w := &writer{T: t}
	w.eol, w.unit, w.flat = eol, pick("\t", "  "), rapid.Bool().Draw(t, "flat")
	comment := func() string {
		if w.flat {
			return pick("", "/* a, */")
		}
		return pick("", "/* a, */", " // {"+eol)
	}
	w.object(0, w.keys("theme", "mcpServers", "mcp", "hooks"), func(key string) {
		if key == "theme" {
			w.scalar()
			w.b.WriteString(comment())
			return
		}
		w.object(1, w.keys("other", "more"), func(string) { w.b.WriteString(pick(`{"command": "x"}`, "{}", `{"url":"//"}`) + comment()) })
	})
	return pick("", "// first"+eol) + w.b.String() + pick("", eol)
}
