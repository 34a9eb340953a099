package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/lsptest"
)

// An emptyHost is the host of a session that is told everything by a test.
type emptyHost struct{}

func (emptyHost) Sources() []string            { return nil }
func (emptyHost) Links() []disk.Link           { return nil }
func (emptyHost) RootOf(string) string         { return "" }
func (emptyHost) Covers(string) bool           { return false }
func (emptyHost) Words(string) []session.Words { return nil }
func (emptyHost) Relative(path string) string  { return path }
func (emptyHost) Owns(string) bool             { return false }
func (emptyHost) Cover(session.Coverage)       {}
func (emptyHost) CaughtUp()                    {}

// startClangd starts a clangd that nobody probes.
func startClangd(t *testing.T, dir string) (*index, *session.Session) {
	t.Helper()
	language := Language()
	scratch := process.NewScratch(t.TempDir())
	t.Cleanup(scratch.Close)
	s, err := session.Open(t.Context(), session.Launch{
		Language: &language, Path: lsptest.Program(t, "clangd"), Dir: dir, Env: append(os.Environ(), "HOME="+t.TempDir()), Host: emptyHost{},
		Grace: time.Minute, NonASCII: &text.NonASCII{}, Ledger: process.OpenLedger(filepath.Join(t.TempDir(), "servers")), Scratch: scratch,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(context.WithoutCancel(t.Context()), session.DefaultStopTimeouts()) })
	return s.Own.(*index), s
}

// clangd answers with a symbol that it has indexed while it was building its index of earlier files.
func TestSettle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	x, s := startClangd(t, dir)
	r := rereading{index: x, session: s}
	give := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, name)
		lsptest.Put(t, path, content)
		if err := x.configure(s, map[string]compileCommand{path: {Dir: dir, Args: []string{"clang", path}}}); err != nil {
			t.Fatal(err)
		}
	}
	var many strings.Builder // so that building takes 0.1 s
	for i := range 25_000 {
		fmt.Fprintf(&many, "int declared_somewhere_%d(int n);\n", i)
	}
	give("many.c", many.String())
	if err := idle(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		first := fmt.Sprintf("first%d.c", n)
		log := s.WatchLog(func(line string) bool { return strings.Contains(line, "Indexed ") && strings.Contains(line, first) })
		give(first, fmt.Sprintf("int one%d(void) { return 1; }\n", n))
		if _, ok := log.Next(t.Context()); !ok {
			t.Fatal("clangd does not say that it has indexed", first)
		}
		log.Close()
		second := fmt.Sprintf("another%d", n)
		give(fmt.Sprintf("second%d.c", n), fmt.Sprintf("int %s(void) { return 2; }\n", second))
		if err := idle(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if err := r.settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, err := search(t.Context(), s, second)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || found[0].Name != second {
			t.Errorf("of %s there is found %v", second, found)
		}
	}
}

func TestTasksDone(t *testing.T) {
	for report, want := range map[string]int{"0/1": 0, "12/1448": 12} {
		if done, err := tasksDone(report); done != want || err != nil {
			t.Errorf("%q: %d, %v", report, done, err)
		}
	}
	for _, report := range []string{"", "indexing"} {
		if done, err := tasksDone(report); err == nil {
			t.Errorf("%q: %d", report, done)
		}
	}
}
