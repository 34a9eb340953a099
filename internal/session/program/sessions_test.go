package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidepool/internal/wording"
)

// owned notes which sessions were ended. Those in claude are of Claude Code.
type owned struct {
	claude []string
	hold   chan struct{} // an end waits for it; nil: it does not

	mu    sync.Mutex
	ended []string
}

func (o *owned) Claims(_ context.Context, session string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Contains(o.claude, session)
}

func (o *owned) End(_ context.Context, session, outcome string, distill bool) (int, error) {
	if o.hold != nil {
		<-o.hold
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = append(o.ended, fmt.Sprint(session, " ", outcome, " ", distill))
	return 3, nil
}

// were fails the test unless these were ended since it was called last.
func (o *owned) were(t *testing.T, want ...string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	slices.Sort(o.ended)
	if !slices.Equal(o.ended, want) {
		t.Errorf("%q were ended, want %q", o.ended, want)
	}
	o.ended = nil
}

// resumed returns sessions of a file in a bubble, and closes them at the end.
func resumed(t *testing.T, o *owned, file string) *Sessions {
	s := New(Options{Owner: o, File: file})
	s.Resume()
	t.Cleanup(s.Close)
	return s
}

// newFile returns the path of a file in a state directory.
func newFile(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "sessions.json")
}

// pass lets time pass in a bubble, and whatever is due happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// The day of a session counts from the last call that named it.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := new(owned)
		s := resumed(t, o, newFile(t))
		id := s.Begin(t.Context(), "")
		if !strings.HasPrefix(id, "sess_") || len(id) != len("sess_")+26 {
			t.Errorf("id %q", id)
		}
		if got := s.Begin(t.Context(), "mine"); got != "mine" {
			t.Errorf("id %q", got)
		}
		pass(23 * time.Hour)
		s.Use(t.Context(), id)
		s.Use(t.Context(), "first use")
		pass(59 * time.Minute)
		o.were(t)
		pass(2 * time.Minute)
		o.were(t, "mine forgotten true")
		pass(23 * time.Hour)
		o.were(t, "first use forgotten true", id+" forgotten true")
	})
}

func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &owned{claude: []string{"claude"}}
		s := resumed(t, o, newFile(t))
		for _, id := range []string{"a", "b", "claude", "", strings.Repeat("x", maxID+1)} {
			s.Use(t.Context(), id)
		}
		if n, err := s.End(t.Context(), "a", "success", false); n != 3 || err != nil {
			t.Errorf("%d %v", n, err)
		}
		if _, err := s.End(t.Context(), "b", "", true); err != nil {
			t.Error(err)
		}
		for _, id := range []string{"a", "never", "", strings.Repeat("x", maxID+1)} {
			_, err := s.End(t.Context(), id, "", true)
			if missing, is := errors.AsType[*NotFoundError](err); !is || !missing.IsNotFound() || wording.HintOf(err) == "" {
				t.Errorf("%q: %v", id, err)
			}
		}
		_, err := s.End(t.Context(), "claude", "", true)
		if _, is := errors.AsType[*ClaimedError](err); !is || wording.HintOf(err) == "" {
			t.Errorf("%v", err)
		}
		pass(48 * time.Hour)
		o.were(t, "a success false", "b not said true")
	})
}

// A session that a hook names belongs to Claude Code, even if a program has named it before.
func TestClaimedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := new(owned)
		s := resumed(t, o, newFile(t))
		s.Use(t.Context(), "s")
		s.Use(t.Context(), "t")
		o.mu.Lock()
		o.claude = []string{"s"}
		o.mu.Unlock()
		pass(25 * time.Hour)
		o.were(t, "t forgotten true")
	})
}

func TestTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := new(owned)
		s := resumed(t, o, "")
		for i := range maxSessions {
			s.Use(t.Context(), fmt.Sprint(i))
			time.Sleep(time.Second)
		}
		s.Use(t.Context(), "0")
		o.were(t)
		s.Use(t.Context(), "more")
		o.were(t, "1 forgotten true")
		if len(s.known) != maxSessions {
			t.Errorf("%d are known", len(s.known))
		}
	})
}

// A call waits while its session is being ended, and begins it anew.
func TestUseWhileEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &owned{hold: make(chan struct{})}
		s := resumed(t, o, newFile(t))
		s.Use(t.Context(), "s")
		pass(25 * time.Hour) // its end has begun
		used := make(chan struct{})
		go func() {
			s.Use(t.Context(), "s")
			close(used)
		}()
		synctest.Wait()
		select {
		case <-used:
			t.Fatal("the call did not wait")
		default:
		}
		close(o.hold)
		<-used
		o.were(t, "s forgotten true")
		if _, err := s.End(t.Context(), "s", "", true); err != nil {
			t.Error(err)
		}
	})
}

// A daemon takes over the sessions of the one before, with the time that they have left.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, file := new(owned), newFile(t)
		before := resumed(t, o, file)
		before.Use(t.Context(), "old")
		before.Use(t.Context(), "kept")
		pass(12 * time.Hour)
		before.Use(t.Context(), "kept")
		pass(5 * time.Minute)
		before.Use(t.Context(), "kept") // which is not written, since the use before is recent
		before.Close()

		pass(12 * time.Hour)
		after := resumed(t, o, file)
		pass(30 * time.Minute)
		o.were(t, "old forgotten true")
		pass(11*time.Hour + 30*time.Minute - time.Second)
		o.were(t) // the use that was not written counts
		after.Close()

		last := resumed(t, o, file)
		if _, err := last.End(t.Context(), "kept", "success", true); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file without sessions is there: %v", err)
		}
		o.were(t, "kept success true")
	})
}

// A file that somebody else has made ends nothing at once, and keeps nothing from working.
func TestForeignFile(t *testing.T) {
	for _, content := range []string{"", "{", `{"sessions":{"s":1}}`, `{"sessions":{"s":"9999-01-01T00:00:00Z","":"2000-01-01T00:00:00Z"}}`, strings.Repeat(" ", maxRecord+1)} {
		synctest.Test(t, func(t *testing.T) {
			o, file := new(owned), newFile(t)
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			s := resumed(t, o, file)
			synctest.Wait()
			o.were(t)
			s.Use(t.Context(), "s")
			pass(25 * time.Hour)
			o.were(t, "s forgotten true")
		})
	}
}

// A link in place of the file is not followed.
func TestLink(t *testing.T) {
	file := newFile(t)
	target := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(target, []byte(`{"sessions":{"s":"2000-01-01T00:00:00Z"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, file); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		o := new(owned)
		s := resumed(t, o, file)
		s.Use(t.Context(), "other")
		pass(time.Hour)
		o.were(t)
	})
	if got, err := os.ReadFile(target); err != nil || !strings.Contains(string(got), "2000") {
		t.Errorf("%s %v", got, err)
	}
}
