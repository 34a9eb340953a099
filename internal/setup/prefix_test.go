package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newShellHome is a home whose agent has its link.
func newShellHome(t *testing.T) *home {
	t.Helper()
	h := newHome(t)
	h.Scrub = true
	if err := os.Symlink("agent", shellBeside(h.Agent)); err != nil {
		t.Fatal(err)
	}
	return h
}

// What init --scrub adds, uninit takes out, whatever stood there and wherever.
func TestScrub(t *testing.T) {
	for _, before := range []string{
		"{}\n",
		"{\n  \"env\": {\n    \"A\": \"b\"\n  },\n  \"model\": \"opus\"\n}\n",
		"{\n  \"hooks\": {},\n  \"env\": {}\n}\n",
		"{\"env\": {\"A\": \"b\"}}\n",
	} {
		for _, lost := range []bool{false, true} {
			h := newShellHome(t)
			h.write(h.localSite().path, before)
			h.init()
			want := `"CLAUDE_CODE_SHELL_PREFIX":"/AGENT/agent-shell"`
			if got := strings.ReplaceAll(h.generic(h.localSite().path), `": "`, `":"`); strings.Count(got, want) != 1 || strings.Contains(got, `"session-start"`) {
				t.Errorf("%s: %s", before, got)
			}
			if again := h.init(); len(again.Changes) > 0 {
				t.Errorf("%s: again: %s", before, again.Diff())
			}
			h.Scrub = false
			if kept := h.init(); len(kept.Changes) > 0 {
				t.Errorf("%s: an init without --scrub changes %s", before, kept.Diff())
			}
			if lost {
				if err := os.RemoveAll(h.stateDir()); err != nil {
					t.Fatal(err)
				}
			}
			h.uninit()
			after, err := os.ReadFile(h.localSite().path)
			if strings.Contains(string(after), "agent") || !lost && string(after) != before || err != nil && !(lost && errors.Is(err, os.ErrNotExist)) {
				t.Errorf("%s: after uninit: %s, %v", before, after, err)
			}
		}
	}
}

// An agent that has moved takes its link along.
func TestScrubMoves(t *testing.T) {
	h := newShellHome(t)
	h.init()
	h.Agent = filepath.Join(h.Home, "elsewhere", "agent")
	h.program(h.Agent)
	h.Scrub = false
	h.init()
	if got := h.generic(h.localSite().path); strings.Count(got, "/AGENT/agent-shell") != 1 {
		t.Errorf("%s", got)
	}
}

func TestScrubRefuses(t *testing.T) {
	h := newShellHome(t)
	h.write(h.localSite().path, `{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/usr/bin/logger"}}`)
	if _, err := Init(h.Options); err == nil || !strings.Contains(err.Error(), "names another program already") {
		t.Errorf("a foreign program: %v", err)
	}
	h.Scrub = false
	h.init()
	h.uninit()
	if got := h.read(h.localSite().path); !strings.Contains(got, "/usr/bin/logger") {
		t.Errorf("the foreign program is gone: %s", got)
	}
	h = newHome(t)
	h.Scrub = true
	if _, err := Init(h.Options); err == nil || !strings.Contains(err.Error(), "there is no") {
		t.Errorf("no link: %v", err)
	}
	h.program(shellBeside(h.Agent))
	if _, err := Init(h.Options); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("another program: %v", err)
	}
}

// Doctor says what holds what.
func TestInspectScrub(t *testing.T) {
	findings := func(h *home) (all string) {
		for _, f := range Inspect(h.Options) {
			all += f.What + ": " + f.Problem + "\n"
		}
		return all
	}
	h := newShellHome(t)
	h.write(h.localSite().path, `{"sandbox": {"enabled": true}}`)
	if got := findings(h); !strings.Contains(got, "Claude Code confines the commands of its Bash") {
		t.Errorf("the sandbox alone: %s", got)
	}
	h.init()
	if got := findings(h); !strings.Contains(got, "serves nobody who is confined") {
		t.Errorf("both: %s", got)
	}
	h.write(h.localSite().path, "{}")
	h.init()
	if got := findings(h); !strings.Contains(got, "secrets are taken out of what commands show: \n") {
		t.Errorf("scrub alone: %s", got)
	}
	if err := os.Remove(shellBeside(h.Agent)); err != nil {
		t.Fatal(err)
	}
	if got := findings(h); !strings.Contains(got, "so no command of Claude Code runs") {
		t.Errorf("without the link: %s", got)
	}
}

// A matcher that an earlier init has written comes to mean the tools whose output is scrubbed; a person's own stays.
func TestMatcherIsBroughtUpToDate(t *testing.T) {
	h := newHome(t)
	h.init()
	now := h.read(h.settings())
	if strings.Count(now, afterTools) != 1 {
		t.Fatalf("%s", now)
	}
	h.write(h.settings(), strings.Replace(now, afterTools, changers, 1))
	h.init()
	if got := h.read(h.settings()); got != now {
		t.Errorf("%s", got)
	}
	own := strings.Replace(now, afterTools, "Bash", 1)
	h.write(h.settings(), own)
	h.init()
	if got := h.read(h.settings()); got != own {
		t.Errorf("%s", got)
	}
}
