package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/conversation"
)

// options are those of a project with one session, below directories of their own.
func options(t *testing.T, base, name string) Options {
	t.Helper()
	project, transcripts := filepath.Join(base, name), filepath.Join(base, "claude", "projects", name)
	for _, dir := range []string{project, transcripts} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	line := fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"the wombat of %s"},"uuid":"%s-u","timestamp":%q,"cwd":%q,"sessionId":"%s-session"}`+"\n",
		name, name, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), project, name)
	if err := os.WriteFile(filepath.Join(transcripts, name+"-session.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"XDG_STATE_HOME": filepath.Join(base, "state"), "CLAUDE_CONFIG_DIR": filepath.Join(base, "claude"), "CODEX_HOME": filepath.Join(base, "codex"), "HOME": base}
	return Options{Project: project, Settings: config.Conversations{Enabled: true, Keep: 24 * time.Hour}, Getenv: func(name string) string { return environment[name] }}
}

func base(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func opened(t *testing.T, o Options, open func(Options) (*Opened, error)) *Opened {
	t.Helper()
	a, err := open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func one(t *testing.T) func(Options) (*Opened, error) {
	return func(o Options) (*Opened, error) { return Open(t.Context(), o) }
}

func all(t *testing.T) func(Options) (*Opened, error) {
	return func(o Options) (*Opened, error) { return OpenAll(t.Context(), o) }
}

func wombats(t *testing.T, a *Opened) conversation.Found {
	t.Helper()
	found, err := a.Search(t.Context(), conversation.Query{Text: "wombat"})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestOpenAllFindsOtherProjects(t *testing.T) {
	base := base(t)
	shop, till := options(t, base, "shop"), options(t, base, "till")
	if found := wombats(t, opened(t, shop, one(t))); found.Matches != 1 || found.Hits[0].Session != "shop-session" || found.State.State != conversation.Complete {
		t.Errorf("%+v", found)
	}
	opened(t, till, one(t))
	everything := opened(t, shop, all(t))
	if found := wombats(t, everything); found.Matches != 2 || found.State.State != conversation.Complete {
		t.Errorf("%+v", found)
	}
	if removed, err := everything.Forget(t.Context(), "till"); removed != 1 || err != nil {
		t.Errorf("forgot %d: %v", removed, err)
	}
	if found := wombats(t, opened(t, till, one(t))); found.Matches != 0 {
		t.Errorf("after forgetting: %+v", found)
	}
}

// TestOpenAllSaysWhatItCouldNotOpen: an answer without a project's archive is not complete.
func TestOpenAllSaysWhatItCouldNotOpen(t *testing.T) {
	base := base(t)
	shop := options(t, base, "shop")
	opened(t, shop, one(t))
	if err := os.WriteFile(filepath.Join(base, "state", "tidepool", "conversations", "0000.db"), []byte(strings.Repeat("no database", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	found := wombats(t, opened(t, shop, all(t)))
	if found.Matches != 1 || found.State.State != conversation.Partial || !strings.HasPrefix(found.State.Why, "1 archive cannot be opened: ") {
		t.Errorf("%+v", found)
	}
}

func TestSwitchedOffReadsNothing(t *testing.T) {
	shop := options(t, base(t), "shop")
	shop.Settings.Enabled = false
	found := wombats(t, opened(t, shop, one(t)))
	if found.Matches != 0 || found.State.State != conversation.Partial || !strings.Contains(found.State.Why, "conversations.enabled is false") {
		t.Errorf("%+v", found)
	}
}

// TestFollowReadsBeside the answers what is added.
func TestFollowReadsBeside(t *testing.T) {
	shop := options(t, base(t), "shop")
	a := opened(t, shop, OpenToFollow)
	for deadline := time.Now().Add(time.Minute); ; {
		if found := wombats(t, a); found.Matches == 1 && found.State.State == conversation.Complete {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("%+v", found)
		}
	}
}

func TestNoPlaceForStores(t *testing.T) {
	_, err := Configure(t.TempDir(), config.Conversations{}, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "no place to keep conversations") {
		t.Error(err)
	}
}
