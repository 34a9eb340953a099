package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What runs already, from the plugin or another file, is not installed a second time, and that is said.
func TestNoSecondSet(t *testing.T) {
	tests := map[string]struct {
		prepare func(*home)
		scope   Scope
		note    string
		server  bool // init still makes .mcp.json
	}{
		"the plugin, for the project": {(*home).plugin, ScopeProject,
			"plugin tidepool@tidepool, enabled in ~/.claude/settings.json: no second set of hooks is installed, or each event would be told twice; " +
				"run `claude plugin uninstall tidepool@tidepool` first if these are to be used instead", false},
		"the plugin, for one person": {(*home).plugin, ScopeLocal, "plugin tidepool@tidepool, enabled in", false},
		"the plugin, for a user":     {(*home).plugin, ScopeUser, "plugin tidepool@tidepool, enabled in", false},
		"the plugin of the project": {func(h *home) { h.write(h.settings(), `{"enabledPlugins": {"tidepool@m": true}}`) }, ScopeProject,
			"plugin tidepool@m, enabled in ~/project/.claude/settings.json: no second set", false},
		"a user's, for the project": {func(h *home) { h.put(h.userSite()) }, ScopeProject,
			"hooks in ~/.claude/settings.json: no second set of hooks is installed, or each event would be told twice; run `agent uninit --user` first", true},
		"a user's with the server": {func(h *home) {
			h.put(h.userSite())
			h.write(h.claudeState(), `{"mcpServers": {"tidepool": {"command": "agent", "args": ["mcp"]}}}`)
		}, ScopeLocal, "run `agent uninit --user` first", false},
		"the project's, for one person": {func(h *home) { h.put(h.projectSite()) }, ScopeLocal, "run `agent uninit` first", true},
		"one person's, for the project": {func(h *home) { h.put(h.localSite()) }, ScopeProject, "run `agent uninit --local` first", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			test.prepare(h)
			h.Scope = test.scope
			p := h.init()
			if notes := h.notes(p); !strings.Contains(notes, test.note) {
				t.Errorf("no %q in %q", test.note, notes)
			}
			if h.ownHooks().holds() {
				t.Error("a second set of hooks")
			}
			if got := h.serverSite().holds(); got != test.server {
				t.Errorf("the server: %t", got)
			}
			if again := h.init(); len(again.Changes) > 0 {
				t.Errorf("a second init changes %s", again.Diff())
			}
		})
	}
}

func (h *home) notes(p *Plan) string {
	return strings.ReplaceAll(strings.Join(p.Notes, "\n"), h.Home, "~")
}

// Hooks that are there twice already are kept up to date, and both places are named.
func TestTwiceIsSaid(t *testing.T) {
	h := newHome(t)
	h.init()
	h.put(h.userSite())
	if notes := h.notes(h.init()); !strings.Contains(notes, "hooks in ~/.claude/settings.json: each event is told twice; `agent uninit --user` takes those out") {
		t.Errorf("notes %q", notes)
	}
	h.Scope = ScopeUser
	if notes := h.notes(h.init()); !strings.Contains(notes, "hooks in ~/project/.claude/settings.json: in this project each event is told twice; `agent uninit` takes those out") {
		t.Errorf("notes %q", notes)
	}
}

// The program that runs shell lines is one person's: others could run no command without it. One that is in the project's
// settings moves to the person's own.
func TestShellIsNeverShared(t *testing.T) {
	h := newShellHome(t)
	h.Scrub = false
	earlier := h.projectSite()
	earlier.kind, earlier.agent = hooks{shell: true}, h.Agent
	h.put(earlier)
	if got := h.summary(); !strings.Contains(got[0], "can run no command; it belongs into settings.local.json; run `agent init`") {
		t.Errorf("doctor: %q", got)
	}
	h.init()
	if got := h.read(h.settings()); strings.Contains(got, prefixName) || !strings.Contains(got, `"command": "agent"`) {
		t.Errorf("the project's: %s", got)
	}
	if got := h.read(h.localSite().path); !strings.Contains(got, h.Agent+"-shell") {
		t.Errorf("the person's own: %s", got)
	}
	if got := strings.Join(h.summary(), "\n"); strings.Contains(got, ";") && !strings.Contains(got, "secrets are taken out") {
		t.Errorf("doctor: %s", got)
	}
	h.uninit()
	if left := h.tree(); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// A repository is a real one around the project of a home, or around a directory of it.
func (h *home) repository(top string) {
	h.t.Helper()
	h.git(top, "init", "-q")
	h.Repository = &Repository{top, filepath.Join(top, ".git", "info", "exclude"), gitIndex{h}}
}

func (h *home) git(dir string, args ...string) (out string, status int) {
	h.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+h.Home, "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1")
	text, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		h.t.Fatalf("git %v: %v", args, err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// A gitIndex asks git.
type gitIndex struct{ h *home }

func (g gitIndex) Tracked(path string) (bool, error) {
	_, status := g.h.git(filepath.Dir(g.h.settings()), "ls-files", "--error-unmatch", "--", path)
	return status == 0, nil
}

func (g gitIndex) Ignored(path string) (bool, error) {
	_, status := g.h.git(g.h.Project, "check-ignore", "-q", "--", path)
	return status == 0, nil
}

// Git shows nothing of what Init sets up for one person, in a repository and below its top, and uninit undoes all of it.
func TestLocalIsNotShown(t *testing.T) {
	for _, below := range []string{".", "odd [name] *"} {
		h := newHome(t)
		top := h.Project
		h.Project = filepath.Join(top, below)
		h.write(filepath.Join(h.Project, ".claude", "mine.md"), "")
		h.repository(top)
		h.git(top, "add", ".")
		h.git(top, "commit", "-qm", "x")
		before := h.tree()
		h.Scope = ScopeLocal
		h.init()
		if shown, _ := h.git(top, "status", "--porcelain", "-uall"); shown != "" {
			t.Errorf("%q: git shows\n%s", below, shown)
		}
		if again := h.init(); len(again.Changes) > 0 {
			t.Errorf("%q: a second init changes %s", below, again.Diff())
		}
		h.uninit()
		if diff := cmp.Diff(before, h.tree()); diff != "" {
			t.Errorf("%q: after uninit (-want +got):\n%s", below, diff)
		}
	}
}

// What git tracks it would show whatever init did, so that file stays, and a command is named instead.
func TestLocalLeavesWhatGitTracks(t *testing.T) {
	h := newHome(t)
	h.write(h.servers(), "{}\n")
	h.write(filepath.Join(h.Project, ".claude", "mine.md"), "")
	h.repository(h.Project)
	h.git(h.Project, "add", ".")
	h.git(h.Project, "commit", "-qm", "x")
	h.Scope = ScopeLocal
	p := h.init()
	if notes := h.notes(p); !strings.Contains(notes, "claude mcp add --scope local tidepool -- ") || h.read(h.servers()) != "{}\n" {
		t.Errorf("notes %q", notes)
	}
	if shown, _ := h.git(h.Project, "status", "--porcelain", "-uall"); shown != "" {
		t.Errorf("git shows\n%s", shown)
	}
}

// Who sets the project up for all lets git show the server's file again.
func TestInitShowsWhatOthersGet(t *testing.T) {
	h := newHome(t)
	h.write(filepath.Join(h.Project, ".claude", "mine.md"), "")
	h.repository(h.Project)
	h.Scope = ScopeLocal
	h.init()
	h.Scope = ScopeProject
	h.put(h.projectSite())
	h.init()
	if got := h.read(h.Repository.Exclude); strings.Contains(got, "/.mcp.json") || !strings.Contains(got, "/.claude/settings.local.json\n") {
		t.Errorf("git's list: %s", got)
	}
}

// A link in git's own directory may have come with an archive.
func TestExcludeFollowsNoLink(t *testing.T) {
	for _, name := range []string{"info", "info/exclude"} {
		h := newHome(t)
		h.write(filepath.Join(h.Project, ".claude", "mine.md"), "")
		h.repository(h.Project)
		precious := filepath.Join(h.Home, "precious")
		h.write(filepath.Join(precious, "exclude"), "mine\n")
		target := filepath.Join(precious, filepath.Base(name))
		if name == "info" {
			target = precious
		}
		link := filepath.Join(h.Project, ".git", name)
		if err := os.RemoveAll(link); err != nil {
			t.Fatal(err)
		}
		h.link(target, link)
		h.Scope = ScopeLocal
		if p, err := Init(h.Options); err == nil || !strings.Contains(err.Error(), "a symbolic link in git's own directory") {
			t.Errorf("%s: planned %v, %v", name, p, err)
		}
	}
}
