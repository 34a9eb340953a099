package journal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/scrub"
	"tidepool/internal/wording"
)

// A fixture is a journal over a real database, with a clock that a test sets and the drafts that were saved.
type fixture struct {
	*Journal
	db *store.DB

	mu    sync.Mutex
	now   time.Time
	saved []memory.Draft
	fails error // of the next saves
}

const project = "0123456789abcdef"

func shop() memory.Project { return memory.Project{Key: project, Name: "shop", Path: "/src/shop"} }

func conversation(session string) Owner { return Owner{Session: session} }

func open(t testing.TB, path string) *fixture {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	scrubber, err := scrub.New(scrub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{db: db, now: time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC)}
	f.Journal = New(db, Options{Project: shop(), Scrub: scrubber, Save: f.save, Now: f.clock})
	t.Cleanup(func() {
		if err := errors.Join(f.Close(context.Background()), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return f
}

func newFixture(t testing.TB) *fixture { return open(t, filepath.Join(t.TempDir(), "memory.db")) }

func (f *fixture) save(_ context.Context, d memory.Draft) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fails != nil {
		return "", f.fails
	}
	f.saved = append(f.saved, d)
	return fmt.Sprintf("mem_%012d", len(f.saved)), nil
}

// savedOf returns how many experiences were saved of a session.
func (f *fixture) savedOf(session string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.saved {
		if d.Session == session {
			n++
		}
	}
	return n
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

func race() Start {
	return Start{
		Domain: "debugging", Strategy: "root-cause-analysis", Goal: "TestDrainOrder must not be flaky",
		Supposition: Supposition{"Stop closes the channel before the last worker returns", "wait for the workers in Stop", "TestDrainOrder passes 200 times in a row"},
	}
}

func (f *fixture) begin(t testing.TB, session string) Entry {
	t.Helper()
	e, err := f.Start(t.Context(), conversation(session), race())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOneActiveEntryForEachConversation(t *testing.T) {
	f := newFixture(t)
	first := f.begin(t, "s1")
	if !strings.HasPrefix(first.ID, "ghap_20260312_093000_") || len(first.ID) != len("ghap_20260312_093000_")+6 {
		t.Errorf("id %q", first.ID)
	}
	_, err := f.Start(t.Context(), conversation("s1"), race())
	active, ok := errors.AsType[*ActiveError](err)
	if !ok || active.ID != first.ID || active.Kind() != "active_ghap_exists" ||
		err.Error() != "Active GHAP exists (id: "+first.ID+"). Resolve it first with resolve_ghap or abandon it." {
		t.Errorf("got %v", err)
	}
	for _, other := range []Owner{conversation("s2"), {Session: "s1", Agent: "sub"}, {}} {
		if _, err := f.Start(t.Context(), other, race()); err != nil {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	f := newFixture(t)
	wrong := race()
	wrong.Domain, wrong.Goal, wrong.Action, wrong.Prediction = "cooking", " ", strings.Repeat("ä", MaxText+1), strings.Repeat("ä", MaxText)
	_, err := f.Start(t.Context(), conversation("s"), wrong)
	want := []string{
		"domain must be one of debugging, refactoring, feature, testing, configuration, documentation, performance, security, integration",
		"goal must not be empty", "action has 1001 characters, at most 1000",
	}
	if invalid, ok := errors.AsType[*InvalidError](err); !ok || !slices.Equal(invalid.Problems, want) {
		t.Errorf("got %v", err)
	}
	f.begin(t, "s")
	for want, r := range map[string]Resolution{
		"surprise is required": {Status: Falsified, Result: "it failed", RootCause: &RootCause{"oversight", "x"}},
		"root_cause is req":    {Status: Falsified, Result: "it failed", Surprise: "x"},
		"root_cause.category":  {Status: Falsified, Result: "it failed", Surprise: "x", RootCause: &RootCause{"bad luck", "x"}},
		"status must be":       {Status: "done", Result: "it passed"},
		"result must not":      {Status: Confirmed},
		"lesson.what_worked":   {Status: Confirmed, Result: "it passed", Lesson: &Lesson{Takeaway: "x"}},
	} {
		if _, err := f.Resolve(t.Context(), conversation("s"), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := f.Update(t.Context(), conversation("s"), Update{Note: "  "}); err == nil {
		t.Error("an update of nothing succeeded")
	}
}

func TestUpdateCountsIterations(t *testing.T) {
	f := newFixture(t)
	if _, err := f.Update(t.Context(), conversation("s"), Update{Note: "x"}); err == nil ||
		err.Error() != "No active GHAP entry to update. Use start_ghap to begin tracking." {
		t.Errorf("got %v", err)
	}
	started := f.begin(t, "s")
	for i, test := range []struct {
		update     Update
		iterations int
	}{
		{Update{Note: "looked at the log"}, 1},
		{Update{Strategy: "read-the-error"}, 1},
		{Update{Supposition: Supposition{Action: started.Action}}, 1}, // the same as before
		{Update{Supposition: Supposition{Hypothesis: "two senders"}, Note: "not the channel"}, 2},
		{Update{Supposition: Supposition{Hypothesis: "three senders", Prediction: "it hangs"}}, 3},
	} {
		e, err := f.Update(t.Context(), conversation("s"), test.update)
		if err != nil || e.Iterations != test.iterations {
			t.Errorf("%d: %d iterations, %v", i, e.Iterations, err)
		}
	}
	e, err := f.Active(t.Context(), conversation("s"))
	if err != nil || len(e.History) != 2 || e.History[0].Supposition != started.Supposition || e.History[1].Hypothesis != "two senders" ||
		e.Strategy != "read-the-error" || !slices.Equal(e.Notes, []string{"looked at the log", "not the channel"}) || e.Action != started.Action {
		t.Errorf("%+v, %v", e, err)
	}
}

func falsified() Resolution {
	return Resolution{Status: Falsified, Result: "still flaky", Surprise: "the channel was open", RootCause: &RootCause{"timing-issue", "the worker slept"}}
}

func TestResolveSavesAnExperience(t *testing.T) {
	f := newFixture(t)
	if _, err := f.Resolve(t.Context(), conversation("s"), falsified()); err == nil || err.Error() != "No active GHAP entry to resolve" {
		t.Errorf("got %v", err)
	}
	e := f.begin(t, "s")
	r := falsified()
	r.Lesson = &Lesson{"a barrier", "wait for workers before closing"}
	got, err := f.Resolve(t.Context(), conversation("s"), r)
	if err != nil || got.Problem != nil || got.Tier != Silver || got.Memory != "mem_000000000001" || got.Outcome.AutoCaptured {
		t.Fatalf("%+v, %v", got, err)
	}
	want := strings.Join([]string{
		"Goal: TestDrainOrder must not be flaky", "Hypothesis: Stop closes the channel before the last worker returns",
		"Action: wait for the workers in Stop", "Prediction: TestDrainOrder passes 200 times in a row", "Outcome: falsified - still flaky",
		"Surprise: the channel was open", "Root cause: timing-issue: the worker slept", "What worked: a barrier", "Lesson: wait for workers before closing",
	}, "\n")
	d := f.saved[0]
	if d.Content != want || d.Kind != memory.Experience || d.Outcome != memory.Failure || d.Session != "s" ||
		d.Gist != "TestDrainOrder must not be flaky (falsified): wait for workers before closing" ||
		!slices.Contains(d.Tags, "ghap:"+e.ID) || !slices.Contains(d.Tags, "cause:timing-issue") {
		t.Errorf("%+v", d)
	}
	if active, err := f.Active(t.Context(), conversation("s")); err != nil || active != nil {
		t.Errorf("%+v is active, %v", active, err)
	}
	f.begin(t, "s")
}

func TestWhatCannotBeSavedIsSavedWithTheNext(t *testing.T) {
	f := newFixture(t)
	first := f.begin(t, "s")
	f.fails = errors.New("disk full")
	got, err := f.Resolve(t.Context(), conversation("s"), Resolution{Status: Confirmed, Result: "passes"})
	if err != nil || got.Problem == nil || got.Memory != "" || len(f.saved) != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	f.fails = nil
	second := f.begin(t, "s")
	if got, err = f.Resolve(t.Context(), conversation("s"), Resolution{Status: Confirmed, Result: "passes"}); err != nil || got.Problem != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	f.begin(t, "s")
	if _, err = f.Resolve(t.Context(), conversation("s"), Resolution{Status: Abandoned, Result: "enough"}); err != nil {
		t.Fatal(err)
	}
	var of []string
	for _, d := range f.saved {
		of = append(of, d.Tags[0])
	}
	if len(of) != 3 || of[0] != "ghap:"+second.ID || of[1] != "ghap:"+first.ID {
		t.Errorf("saved %v", of)
	}
}

func TestSecretsAreTakenOut(t *testing.T) {
	f := newFixture(t)
	const secret = "ghp_" + "x7Kq2mVw9LbT4nRz8PcY1sHd6JfG3aEu5oWi"
	s := race()
	s.Goal = "push with " + secret
	if _, err := f.Start(t.Context(), conversation("s"), s); err != nil {
		t.Fatal(err)
	}
	if e, err := f.Active(t.Context(), conversation("s")); err != nil || strings.Contains(e.Goal, secret) || !strings.Contains(e.Goal, "[secret: ") {
		t.Errorf("%+v, %v", e, err)
	}
}

type withholder struct{}

func (withholder) Text(string) (string, []scrub.Finding) {
	return "withheld", []scrub.Finding{{Rule: scrub.Withheld}}
}

func TestWhatCannotBeSearchedForSecretsIsNotKept(t *testing.T) {
	f := newFixture(t)
	f.options.Scrub = withholder{}
	if _, err := f.Start(t.Context(), conversation("s"), race()); !errors.Is(err, WithheldError{}) || wording.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if e, err := f.Active(t.Context(), conversation("s")); e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestEntriesFollowTheRules plays any calls in any order, and compares with the state that the rules give.
func TestEntriesFollowTheRules(t *testing.T) {
	f := newFixture(t)
	rapid.Check(t, func(t *rapid.T) {
		o := Owner{Session: "s" + rapid.StringMatching(`[a-z0-9]{12}`).Draw(t, "session")}
		iterations, resolved := 0, 0 // iterations of the active entry; 0: none
		hypothesis := ""
		for range rapid.IntRange(1, 8).Draw(t, "calls") {
			switch rapid.SampledFrom([]string{"start", "update", "resolve", "abandon"}).Draw(t, "call") {
			case "start":
				_, err := f.Start(context.Background(), o, race())
				if (err == nil) != (iterations == 0) {
					t.Fatalf("start with %d iterations: %v", iterations, err)
				}
				if err == nil {
					iterations, hypothesis = 1, race().Hypothesis
				}
			case "update":
				next := rapid.SampledFrom([]string{"", "a", "b", race().Hypothesis}).Draw(t, "hypothesis")
				e, err := f.Update(context.Background(), o, Update{Supposition: Supposition{Hypothesis: next}, Note: "n"})
				if (err == nil) != (iterations > 0) {
					t.Fatalf("update with %d iterations: %v", iterations, err)
				}
				if err == nil && next != "" && next != hypothesis {
					iterations, hypothesis = iterations+1, next
				}
				if err == nil && e.Iterations != iterations {
					t.Fatalf("%d iterations, want %d", e.Iterations, iterations)
				}
			case "resolve", "abandon":
				_, err := f.Resolve(context.Background(), o, Resolution{Status: Confirmed, Result: "r"})
				if (err == nil) != (iterations > 0) {
					t.Fatalf("resolve with %d iterations: %v", iterations, err)
				}
				if err == nil {
					resolved++
				}
				iterations = 0
			}
		}
		e, err := f.Active(context.Background(), o)
		if err != nil || (e != nil) != (iterations > 0) {
			t.Fatalf("%+v is active with %d iterations: %v", e, iterations, err)
		}
		if got := f.savedOf(o.Session); got != resolved {
			t.Fatalf("%d are experiences, want %d", got, resolved)
		}
	})
}

func TestList(t *testing.T) {
	f := newFixture(t)
	for i, domain := range []string{"debugging", "testing", "debugging"} {
		s := race()
		s.Domain, s.Goal = domain, fmt.Sprint("goal ", i)
		if _, err := f.Start(t.Context(), conversation("s"), s); err != nil {
			t.Fatal(err)
		}
		r := falsified()
		if i > 0 {
			r = Resolution{Status: Confirmed, Result: "r"}
		}
		if _, err := f.Resolve(t.Context(), conversation("s"), r); err != nil {
			t.Fatal(err)
		}
		f.pass(time.Hour)
	}
	f.begin(t, "s")
	for _, test := range []struct {
		query Query
		want  string
	}{
		{Query{Limit: 9}, "goal 2, goal 1, goal 0"},
		{Query{Limit: 2}, "goal 2, goal 1"},
		{Query{Limit: 9, Domain: "debugging"}, "goal 2, goal 0"},
		{Query{Limit: 9, Outcome: Falsified}, "goal 0"},
		{Query{Limit: 9, Since: f.now.Add(-2 * time.Hour)}, "goal 2, goal 1"},
	} {
		found, err := f.List(t.Context(), test.query)
		var goals []string
		for _, e := range found {
			goals = append(goals, e.Goal)
		}
		if got := strings.Join(goals, ", "); err != nil || got != test.want {
			t.Errorf("%+v: %s, %v", test.query, got, err)
		}
	}
	f.options.Project.Key = "another"
	if found, err := f.List(t.Context(), Query{Limit: 9}); err != nil || len(found) != 0 {
		t.Errorf("another project has %v, %v", found, err)
	}
}
