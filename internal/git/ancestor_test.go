package git

import (
	"path/filepath"
	"testing"
)

func TestIsAncestor(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q", "-b", "main")
	commit := func(message string) string {
		run(t, dir, "commit", "-q", "--allow-empty", "-m", message)
		return run(t, dir, "rev-parse", "HEAD")
	}
	first := commit("first")
	run(t, dir, "switch", "-q", "-c", "side")
	side := commit("side")
	run(t, dir, "switch", "-q", "main")
	last := commit("last")
	for hash, want := range map[string]bool{first: true, first[:10]: true, last: true, side: false} {
		if is, err := IsAncestor(t.Context(), dir, hash); is != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", hash, is, err, want)
		}
	}
	for _, nonsense := range []string{"", "HEAD", "--help", "0123456789", first + "^"} {
		if is, err := IsAncestor(t.Context(), dir, nonsense); is || err == nil {
			t.Errorf("%q: %v, %v", nonsense, is, err)
		}
	}
	if is, err := IsAncestor(t.Context(), filepath.Join(dir, "none"), first); is || err == nil {
		t.Error(is, err)
	}
}
