package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const foreign = "{\n\t\"model\": \"opus\"\n}\n"

func TestInitMakesEverything(t *testing.T) {
	h := newHome(t)
	p := h.init()
	if len(p.Changes) != 3 || len(p.Notes) != 1 {
		t.Errorf("changes %d, notes %q", len(p.Changes), p.Notes)
	}
	want := map[string]os.FileMode{
		h.stateDir(): 0o700 | os.ModeDir, filepath.Join(h.stateDir(), "config.json"): 0o600,
		h.settings(): 0o644, h.servers(): 0o644,
	}
	for path, mode := range want {
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	h.uninit()
	if left := h.tree(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(h.stateDir(), "config.json")); err != nil {
		t.Errorf("the state directory is gone: %v", err)
	}
}

func TestInitTwiceChangesNothing(t *testing.T) {
	h := newHome(t)
	h.write(h.settings(), foreign)
	h.init()
	before := h.tree()
	if p := h.init(); len(p.Changes) != 0 || p.Diff() != "" || len(p.Notes) != 0 {
		t.Errorf("planned %v, %q", p.Diff(), p.Notes)
	}
	if diff := cmp.Diff(before, h.tree()); diff != "" {
		t.Error(diff)
	}
}

func TestInitAddsWhatIsMissing(t *testing.T) {
	h := newHome(t)
	h.init()
	whole := h.tree()
	if err := os.Remove(h.servers()); err != nil {
		t.Fatal(err)
	}
	if p := h.init(); len(p.Changes) != 1 {
		t.Errorf("planned\n%s", p.Diff())
	}
	if diff := cmp.Diff(whole, h.tree()); diff != "" {
		t.Error(diff)
	}
}

func TestInitMovesThePath(t *testing.T) {
	h := newHome(t)
	h.Scope = ScopeLocal
	h.write(h.localSite().path, foreign)
	before := h.tree()
	h.init()
	old := h.Agent
	first := h.read(h.localSite().path)
	h.Agent = filepath.Join(h.Home, "a place with ü & 'quotes'", "agent")
	h.program(h.Agent)
	h.init()
	if want, got := strings.ReplaceAll(first, old, h.Agent), h.read(h.localSite().path); got != want {
		t.Error(cmp.Diff(want, got))
	}
	h.uninit()
	if diff := cmp.Diff(before, h.tree()); diff != "" {
		t.Error(diff)
	}
}

// What a person did to our entries stays on init, and goes with them on uninit.
func TestEditedEntries(t *testing.T) {
	h := newHome(t)
	h.write(h.settings(), foreign)
	h.init()
	edited := strings.Replace(h.read(h.settings()), `"timeout": 10`, `"timeout": 60`, 1)
	edited = strings.Replace(edited, `"opus"`, `"sonnet"`, 1)
	h.write(h.settings(), edited)
	if p := h.init(); len(p.Changes) != 0 {
		t.Errorf("planned\n%s", p.Diff())
	}
	h.uninit()
	if got, want := h.read(h.settings()), strings.Replace(foreign, "opus", "sonnet", 1); got != want {
		t.Errorf("left %q, want %q", got, want)
	}
}

func TestUninitTakesOutAnyScopeOfTheProject(t *testing.T) {
	h := newHome(t)
	h.Scope = ScopeLocal
	h.init()
	if _, err := os.Stat(h.localSite().path); err != nil {
		t.Fatal(err)
	}
	h.Scope = ScopeProject
	h.uninit()
	if left := h.tree(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestUserScope(t *testing.T) {
	for name, configDir := range map[string]string{"home": "", "CLAUDE_CONFIG_DIR": "elsewhere"} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.Scope = ScopeUser
			if configDir != "" {
				h.ClaudeConfigDir = filepath.Join(h.Home, configDir)
			}
			h.write(h.userSite().path, foreign)
			h.chmod(h.userSite().path, 0o640)
			p := h.init()
			if got := h.ServerCommands(); len(p.Notes) != 0 || !strings.HasPrefix(ShellLine(got), "claude mcp add --scope user tidepool -- ") || len(h.ServerRemoval()) != 0 {
				t.Errorf("notes %q, commands %q", p.Notes, got)
			}
			if len(h.tree()) != 0 {
				t.Errorf("the project was touched")
			}
			h.uninit()
			info, err := os.Stat(h.userSite().path)
			if got := h.read(h.userSite().path); got != foreign || err != nil || info.Mode() != 0o640 {
				t.Errorf("left %q, %v", got, info.Mode())
			}
			if left, _ := os.ReadDir(h.claudeDir()); len(left) != 1 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestUserScopeKnowsTheServer(t *testing.T) {
	h := newHome(t)
	h.Scope = ScopeUser
	h.write(h.claudeState(), `{"mcpServers": {"tidepool": {"command": "`+h.Agent+`", "args": ["mcp"]}}}`)
	if got := h.ServerCommands(); len(got) != 0 {
		t.Errorf("commands %q", got)
	}
	h.Agent = filepath.Join(h.Home, "new", "agent")
	if got := h.ServerCommands(); len(got) != 2 || len(h.ServerRemoval()) != 1 {
		t.Errorf("of another program: %q", got)
	}
	h.plugin()
	if got := h.ServerCommands(); len(got) != 0 {
		t.Errorf("with the plugin: %q", got)
	}
}

func TestSymbolicLinkIsFollowed(t *testing.T) {
	h := newHome(t)
	target := filepath.Join(h.Home, "dotfiles", "claude.json")
	h.write(target, foreign)
	h.chmod(target, 0o600)
	h.link(target, h.settings())
	if p := h.init(); !slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, target) }) {
		t.Errorf("nobody is told: %q", p.Notes)
	}
	if info, err := os.Lstat(h.settings()); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("no longer a link: %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode() != 0o600 || h.read(target) == foreign {
		t.Errorf("the target: %v, %v", info.Mode(), err)
	}
	h.uninit()
	if got := h.read(target); got != foreign {
		t.Errorf("left %q", got)
	}
}

func TestApplyRefusesWhatChangedMeanwhile(t *testing.T) {
	h := newHome(t)
	p, err := Init(h.Options)
	if err != nil {
		t.Fatal(err)
	}
	h.write(h.servers(), foreign)
	before := h.tree()
	var refused *FileError
	if err := p.Apply(); !errors.As(err, &refused) || refused.Path != h.servers() {
		t.Errorf("apply: %v", err)
	}
	if diff := cmp.Diff(before, h.tree()); diff != "" {
		t.Error(diff)
	}
}

// Whichever step fails, all is as it was before, and nothing lies about.
func TestApplyAllOrNothing(t *testing.T) {
	refused := errors.New("no")
	for fail := range 5 {
		h := newHome(t)
		h.write(h.settings(), foreign)
		h.write(h.servers(), foreign)
		before := h.tree()
		p, err := Init(h.Options)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		p.rename = func(from, to string) error {
			calls++
			if calls == fail+1 {
				return refused
			}
			return os.Rename(from, to)
		}
		if err := p.Apply(); !errors.Is(err, refused) {
			t.Errorf("rename %d: %v", fail, err)
		}
		if diff := cmp.Diff(before, h.tree()); diff != "" {
			t.Errorf("rename %d:\n%s", fail, diff)
		}
		if _, err := os.Lstat(h.stateDir()); err == nil {
			t.Errorf("rename %d: the state directory is left", fail)
		}
	}
}

func TestApplyStopsWhenTheStateDirectoryIsRefused(t *testing.T) {
	h := newHome(t)
	refused := errors.New("no")
	h.MakeStateDir = func(string) error { return refused }
	p, err := Init(h.Options)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); !errors.Is(err, refused) || len(h.tree()) != 0 {
		t.Errorf("%v, left %v", err, h.tree())
	}
}

func TestDiff(t *testing.T) {
	h := newHome(t)
	h.write(h.servers(), foreign)
	p, err := Init(h.Options)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Diff()
	for _, want := range []string{"--- /dev/null\n+++ " + h.settings(), "--- " + h.servers(), `+			"command": "agent"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if len(h.tree()) != 1 {
		t.Error("planning wrote something")
	}
}

// Root sets up a project that is another's; what it writes must stay theirs.
func TestOwnerStays(t *testing.T) {
	h := newHome(t)
	h.write(h.settings(), foreign)
	uid := os.Geteuid()
	if uid == 0 {
		uid = 12345
	}
	if err := os.Chown(h.settings(), uid, os.Getegid()); err != nil {
		t.Fatal(err)
	}
	h.init()
	info, err := os.Stat(h.settings())
	if err != nil || int(info.Sys().(*syscall.Stat_t).Uid) != uid {
		t.Errorf("owner %v, %v", info.Sys(), err)
	}
}

// A process that is killed leaves temporary files beside those that it was about to change. The next one removes them, but
// none that another process is about to use, nor what only looks like one.
func TestSweepAfterAKill(t *testing.T) {
	h := newHome(t)
	h.write(h.settings(), foreign)
	var left []string
	for _, path := range []string{h.settings(), h.servers()} {
		killed, err := stage(path, []byte("{}"), nil, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		killed.lock.Close() // as the kernel does
		left = append(left, killed.path)
	}
	used, err := stage(h.settings(), []byte("{}"), nil, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer used.discard()
	notes := filepath.Join(filepath.Dir(h.settings()), ".settings.json.notes")
	h.write(notes, "mine")
	h.init()
	for _, path := range left {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is still there", filepath.Base(path))
		}
	}
	for _, path := range []string{used.path, notes} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("was swept: %v", err)
		}
	}
	used.lock.Close()
	if h.uninit(); len(h.tree()) == 0 {
		t.Error("nothing is left at all")
	}
	if _, err := os.Lstat(used.path); err == nil {
		t.Error("uninit does not sweep")
	}
}
