package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
		{"", "6400MiB", "2560MiB", 10 << 30},
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

// The other servers are told what they understand, and work with it.
func TestOtherServersAreToldTheirShares(t *testing.T) {
	for _, test := range []struct {
		language        Language
		source          string
		variable, holds string
	}{
		{typescriptHere(t), "-- tsconfig.json --\n{}\n-- a.ts --\nexport function Alpha() {}\nAlpha()\n", "NODE_OPTIONS", "--max-old-space-size=3072"},
		{pyright(t), "-- pyproject.toml --\n-- a.py --\ndef Alpha():\n    pass\n\nAlpha()\n", "NODE_OPTIONS", "--max-old-space-size=2048"},
		{clangd(t), "-- compile_flags.txt --\n-- a.c --\nint Alpha(void) { return 0; }\nint b(void) { return Alpha(); }\n", "CLANGD_FLAGS", strings.Repeat(" -j=1", min(1, runtime.NumCPU()-1))},
	} {
		dir := t.TempDir()
		write(t, dir, test.source)
		budget := int64(3 << 30)
		if test.language.ID == "c" {
			budget = 512 << 20 // one worker's
		}
		p := openWith(t, Options{Root: dir, Languages: []Language{test.language}, Env: environment(), MemoryBudget: budget})
		one(t, view(t, p), "Alpha")
		if got := session.Getenv(environmentOf(t, p.Status()[0].PID), test.variable); !strings.Contains(got, test.holds) {
			t.Errorf("%s has %s=%q, want %q in it", test.language.ID, test.variable, got, test.holds)
		}
	}
}
