package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp/internal/session"
)

// environmentOf reads the environment that a process began with.
func environmentOf(t *testing.T, pid int) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "environ"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\x00")
}

// gopls is told its share of the budget, that for drafts the rest of it; the user's own limit stands.
func TestGoplsIsToldItsShare(t *testing.T) {
	for _, test := range []struct {
		own, queries, drafts string
		budget               int64
	}{
		{"", "6144MiB", "3072MiB", 10 << 30},
		{"GOMEMLIMIT=9GiB", "9GiB", "9GiB", 10 << 30},
		{"", "", "", 0},
	} {
		dir := t.TempDir()
		write(t, dir, shopAndTill)
		env := slices.DeleteFunc(environment(), func(entry string) bool { return strings.HasPrefix(entry, "GOMEMLIMIT=") })
		if test.own != "" {
			env = append(env, test.own)
		}
		p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: env, MemoryBudget: test.budget})
		draft := drafting(t, p)
		for pid, want := range map[int]string{p.Status()[0].PID: test.queries, draft.server.Living().PID(): test.drafts} {
			if got := session.Getenv(environmentOf(t, pid), "GOMEMLIMIT"); got != want {
				t.Errorf("with a budget of %d and %q it gets %q, want %q", test.budget, test.own, got, want)
			}
		}
		draft.Close()
	}
}
