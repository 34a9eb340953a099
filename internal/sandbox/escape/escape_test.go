//go:build linux

package escape

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tidepool/internal/sandbox"
)

// atLeast is how many ways the table must have.
const atLeast = 90

func TestWaysAreMany(t *testing.T) {
	if err := validate(Ways()); err != nil {
		t.Error(err)
	}
	if n := len(Ways()); n < atLeast {
		t.Errorf("%d ways, at least %d", n, atLeast)
	}
}

func newStage(t *testing.T) *Stage {
	t.Helper()
	s, err := NewStage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// only is what the names of the ways to try contain, for who looks for the reason of a failure: the variable ESCAPE_TEST_ONLY.
func only() string { return os.Getenv("ESCAPE_TEST_ONLY") }

func TestFullHoldsEachWay(t *testing.T) {
	stage := newStage(t)
	for _, user := range Users() {
		t.Run(fmt.Sprint("uid ", user), func(t *testing.T) {
			results, err := stage.Try(t.Context(), Place{User: user, Options: Options{Level: sandbox.Full, Control: true, Only: only()}})
			if err != nil {
				t.Error(err)
			}
			for _, r := range results {
				report(t, r)
				if !r.Held() {
					t.Errorf("%s: not held: %q", r.Way, r.Breaches())
				}
			}
		})
	}
}

// At partial what is named in the table does not hold, and everything else does. It is tried as a user; make bench-exec tries it as
// root, too, which takes as long again.
func TestPartialHoldsWhatItNames(t *testing.T) {
	stage := newStage(t)
	user := Users()[len(Users())-1]
	open := map[string]string{}
	for _, w := range Ways() {
		open[w.Name] = w.Open(user)
	}
	p := Place{User: user, Options: Options{Level: sandbox.Partial, Only: only()}, Prepared: []Step{NoUserNamespaces}}
	results, err := stage.Try(t.Context(), p)
	if err != nil {
		t.Error(err)
	}
	for _, r := range results {
		if r.Held() != (open[r.Way] == "") {
			report(t, r)
			t.Errorf("%s: breaches %q, and the table says that it does not hold because %q", r.Way, r.Breaches(), open[r.Way])
		}
	}
}

// The project may lie elsewhere, and its repository too. A line of plain work runs there.
func TestLayoutsHold(t *testing.T) {
	stage := newStage(t)
	for _, layout := range []Layout{Worktree, Linked, GitLink, InTmp} {
		t.Run(string(layout), func(t *testing.T) {
			// Where the project is below /tmp the home is, too, and hidden whatever is done.
			results, err := stage.Try(t.Context(), Place{User: Users()[len(Users())-1], Options: Options{Level: sandbox.Full, Layout: layout, Control: true, Only: only()}})
			if err != nil {
				t.Error(err)
			}
			for _, r := range results {
				report(t, r)
				if !r.Held() {
					t.Errorf("%s: not held: %q", r.Way, r.Breaches())
				}
			}
		})
	}
}

// Where the kernel or a container gives less, the level is lower, and says so.
func TestLevelOfContainers(t *testing.T) {
	stage := newStage(t)
	for step, level := range map[Step]sandbox.Level{NoUserNamespaces: sandbox.Partial, MaskedProc: sandbox.Partial, NoSetgroups: sandbox.Full} {
		t.Run(string(step), func(t *testing.T) {
			p := Place{User: Users()[len(Users())-1], Prepared: []Step{step}, Options: Options{Level: level, Only: "append outside"}}
			results, err := stage.Try(t.Context(), p)
			if err != nil || len(results) != 1 || !results[0].Held() {
				t.Error(results, err)
			}
		})
	}
}

// report shows what a row printed, if something is wrong with it.
func report(t *testing.T, r Result) {
	t.Helper()
	if r.Error != "" {
		t.Errorf("%s: %s", r.Way, r.Error)
	}
	for i, run := range r.Runs {
		if len(run.Breaches) > 0 {
			t.Logf("%s, run %d: %q, exit %d, held %q, restored %q:\n%s", r.Way, i+1, run.Breaches, run.Exit, run.Held, run.Restored, strings.TrimSpace(run.Output))
		}
	}
	if r.Absent != "" {
		t.Logf("%s: this machine has not what it is about: %s", r.Way, r.Absent)
	}
}
