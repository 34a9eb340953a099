package setup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// left is what Uninit says that it leaves, without the path of the home.
func (h *home) left(p *Plan) string {
	return strings.ReplaceAll(strings.Join(p.Left, "\n"), h.Home, "~")
}

// Uninit says what else brings hooks into the project, and takes out only what its scope has made.
func TestUninitSaysWhatItLeaves(t *testing.T) {
	const (
		shared = "hooks in ~/project/.claude/settings.json; `agent uninit` takes that out"
		user   = "hooks in ~/.claude/settings.json; `agent uninit --user` takes that out"
		local  = "hooks in ~/project/.claude/settings.local.json; `agent uninit --local` takes that out"
		plugin = "plugin tidepool@tidepool, enabled in ~/.claude/settings.json; `claude plugin uninstall tidepool@tidepool` takes that out"
		states = "in each project that was set up its .tidepool; there `agent uninit --purge` removes it"
	)
	tests := map[string]struct {
		scopes []Scope // that were set up, one after the other
		plugin bool
		uninit Scope
		left   []string
	}{
		"the project alone":         {[]Scope{ScopeProject}, false, ScopeProject, nil},
		"the project of a user":     {[]Scope{ScopeProject, ScopeUser}, false, ScopeProject, []string{user}},
		"a person's own, of two":    {[]Scope{ScopeProject, ScopeLocal}, false, ScopeLocal, []string{shared}},
		"all of the project":        {[]Scope{ScopeProject, ScopeLocal}, false, ScopeProject, nil},
		"the project with a plugin": {[]Scope{ScopeProject}, true, ScopeProject, []string{plugin}},
		"a user":                    {[]Scope{ScopeLocal, ScopeUser}, false, ScopeUser, []string{local, states}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			for _, h.Scope = range test.scopes {
				h.put(h.ownHooks())
			}
			if test.plugin {
				h.plugin()
			}
			h.Scope = test.uninit
			if diff := cmp.Diff(strings.Join(test.left, "\n"), h.left(h.uninit())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if h.ownHooks().holds() {
				t.Error("its own hooks are still there")
			}
		})
	}
}

// Uninit for one person leaves the server to the hooks of the project.
func TestUninitLocal(t *testing.T) {
	h := newHome(t)
	h.init()
	both := h.tree()
	h.Scope = ScopeLocal
	h.put(h.localSite())
	h.uninit()
	if diff := cmp.Diff(both, h.tree()); diff != "" {
		t.Errorf("beside the project's hooks (-want +got):\n%s", diff)
	}
	h = newHome(t)
	h.Scope = ScopeLocal
	h.init()
	h.uninit()
	if left := h.tree(); len(left) != 0 {
		t.Errorf("alone it leaves %v", left)
	}
}

// Uninit with Scrub takes out the program that runs shell lines alone.
func TestUninitScrub(t *testing.T) {
	h := newShellHome(t)
	h.Scrub = false
	h.init()
	without := h.tree()
	h.Scrub = true
	h.init()
	h.uninit()
	if diff := cmp.Diff(without, h.tree()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
