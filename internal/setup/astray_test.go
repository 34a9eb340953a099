package setup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// withStray swaps the event that the hook under Stop reports.
func (h *home) withStray(path string) (right string) {
	h.t.Helper()
	right = h.read(path)
	wrong := strings.Replace(right, `"stop"`, `"pre-tool-use"`, 1)
	if wrong == right {
		h.t.Fatalf("no hook on Stop in %s", right)
	}
	h.write(path, wrong)
	return right
}

// A hook that reports another event than its own is found by doctor, repaired by init, and removed by uninit.
func TestStrayHook(t *testing.T) {
	h := newHome(t)
	h.write(h.settings(), foreign)
	h.init()
	right := h.withStray(h.settings())
	want := "Stop in ~/project/.claude/settings.json: the hook there is `agent hook pre-tool-use`, so the daemon takes each Stop for a PreToolUse; run `agent init`"
	if got := h.summary(); got[0] != want {
		t.Errorf("doctor: %q", got)
	}
	h.init()
	if got := decode(t, h.read(h.settings())); !cmp.Equal(got, decode(t, right)) {
		t.Errorf("after init (-want +got):\n%s", cmp.Diff(decode(t, right), got))
	}
	if got := h.summary(); len(got) != 2 {
		t.Errorf("doctor after init: %q", got)
	}
	h.withStray(h.settings())
	h.uninit()
	if got := h.read(h.settings()); got != foreign {
		t.Errorf("after uninit: %s", got)
	}
}

// Hooks in the settings of a person and of a user are repaired in their own files.
func TestStrayHookOfEachScope(t *testing.T) {
	for _, scope := range []Scope{ScopeLocal, ScopeUser} {
		h := newHome(t)
		h.Scope = scope
		h.init()
		path := h.ownHooks().path
		h.withStray(path)
		i := 0
		for _, f := range Inspect(h.Options) {
			if strings.HasPrefix(f.What, "Stop in "+path) && f.Safe && f.Scope == scope {
				i++
			}
		}
		if i != 1 {
			t.Errorf("scope %d: %d findings", scope, i)
		}
		h.init()
		if got := strings.Join(h.summary(), " "); strings.Contains(got, "Stop in") {
			t.Errorf("after init: %s", got)
		}
	}
}
