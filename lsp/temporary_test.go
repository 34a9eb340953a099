package lsp

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// listed are the names in a directory.
func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// below are the directories of the servers that run.
func below(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTemporaryFilesEndWithTheirServer looks at what servers have written when one was killed, while another is there
// for drafts, and when the project is closed.
func TestTemporaryFilesEndWithTheirServer(t *testing.T) {
	t.Parallel()
	eachServer(t, func(t *testing.T, language Language, dir string) {
		scratch := t.TempDir()
		p := openWith(t, Options{Root: dir, Languages: []Language{language}, Env: environment("GOWORK=off", "TMPDIR="+scratch)})
		if uses, c, err := hubUses(t.Context(), p, language.ID); uses == 0 || err != nil || c.State != Complete {
			t.Fatalf("%d uses, %v, %+v", uses, err, c)
		}
		before := below(t, scratch)
		if len(before) != 1 {
			t.Fatalf("one server has %q", before)
		}
		if info, err := os.Stat(before[0]); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		live := current(p)
		if err := syscall.Kill(first(p).PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-live.Done()
		if left := below(t, scratch); len(left) > 0 {
			t.Errorf("a server that was killed leaves %q", left)
		}
		want := 1
		if language.Drafting != nil {
			draft, err := view(t, p).Draft(t.Context(), language.ID)
			if err != nil {
				t.Fatal(err)
			}
			draft.Close()
			want = 2
		} else {
			view(t, p)
		}
		if now := below(t, scratch); len(now) != want {
			t.Errorf("%d servers have %q", want, now)
		}
		if p.Close(t.Context()); len(listed(t, scratch)) > 0 {
			t.Errorf("a closed project leaves %q", listed(t, scratch))
		}
	})
}

// A server starts without a directory of its own where none can be made.
func TestServerWithoutTemporaryDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	missing := filepath.Join(dir, "missing")
	p := openWith(t, Options{Root: dir, Languages: []Language{toy()}, Env: environment("TMPDIR=" + missing)})
	if got, c := uses(t, p); got != 1 || c.State != Complete {
		t.Errorf("%d uses, %+v", got, c)
	}
}
