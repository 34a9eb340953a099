package recall

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

// rows returns an opened store without an index.
func (f *fixture) rows() *Store {
	f.t.Helper()
	s, err := OpenDatabase(f.t.Context(), f.options)
	must(f.t, err)
	f.t.Cleanup(func() { closeStore(f.t, s) })
	return s
}

func get(t testing.TB, s *Store, id string) memory.Memory {
	t.Helper()
	m, err := s.Get(t.Context(), id)
	must(t, err)
	return m
}

// learn learns drafts and returns all memories, the newest first.
func learn(t testing.TB, s *Store, drafts ...memory.Draft) []memory.Memory {
	t.Helper()
	s.Learn(drafts...)
	must(t, s.Flush(t.Context()))
	all, err := s.List(t.Context(), ListQuery{Limit: maxList})
	must(t, err)
	return all
}

func TestWhatSaysTheSameIsMerged(t *testing.T) {
	s := newFixture(t).rows()
	first := save(t, s, memory.Draft{Content: "Run the migrations with make migrate before the tests of the storage package", Session: "one", Tags: []string{"db"}, Files: []string{"a.go"}})
	same := save(t, s, memory.Draft{Content: "before the tests of the storage package, run the Migrations: with make migrate", Session: "two", Turn: 4, Tags: []string{"test"}})
	near := save(t, s, memory.Draft{Content: "Run the migrations with make migrate before the tests of the storage package!", Commit: "abcdef1", Outcome: memory.Success})
	if same.ID != first.ID || near.ID != first.ID || same.Kept != KeptMerged || near.Kept != KeptMerged {
		t.Errorf("%+v, %+v, %+v", first, same, near)
	}
	m := get(t, s, first.ID)
	if !strings.HasSuffix(m.Content, "package!") || m.Session != "two" || m.Turn != 4 || m.Commit != "abcdef1" || m.Outcome != memory.Success ||
		!cmp.Equal(m.Tags, []string{"db", "test"}) || !cmp.Equal(m.Files, []string{"a.go"}) {
		t.Errorf("%+v", m)
	}
	e, err := s.Expand(t.Context(), first.ID)
	must(t, err)
	var history []string
	for _, h := range e.History {
		history = append(history, h.What+" "+h.Session)
	}
	if !cmp.Equal(history, []string{"learned one", "merged two", "merged "}) {
		t.Errorf("%q", history)
	}
	for name, d := range map[string]memory.Draft{
		"another kind": {Content: m.Content, Kind: memory.Decision},
		"the user's":   {Content: m.Content, Scope: memory.ForUser},
		"other words":  {Content: "Run the migrations with make migrate before the release of the gateway service"},
	} {
		if saved := save(t, s, d); saved.Kept != KeptNew || saved.ID == first.ID {
			t.Errorf("%s: %+v", name, saved)
		}
	}
}

// What two sessions did in the same words is two memories.
func TestRecordsOfSessionsStayApart(t *testing.T) {
	s := newFixture(t).rows()
	for _, kind := range []memory.Kind{memory.Session, memory.Checkpoint, memory.Experience} {
		ids := map[string]bool{}
		for _, session := range []string{"one", "two", "two"} {
			ids[save(t, s, memory.Draft{Kind: kind, Content: "fixed the flaky tests", Session: session}).ID] = true
		}
		if len(ids) != 2 {
			t.Errorf("%s: %d memories", kind, len(ids))
		}
	}
}

// The summary of a session is one memory that grows.
func TestReplaces(t *testing.T) {
	s := newFixture(t).rows()
	d := memory.Draft{Kind: memory.Session, Session: "one", Replaces: true, Trust: memory.Observed}
	var ids []string
	for _, text := range []string{"goal: fix the crane", "goal: fix the crane. 1 commit", "goal: fix the crane. 2 commits, tests passed", "goal: fix the crane"} {
		d.Content = text
		ids = append(ids, learn(t, s, d)[0].ID)
	}
	all := learn(t, s, memory.Draft{Kind: memory.Session, Session: "two", Replaces: true, Content: "goal: paint it"})
	if len(all) != 2 || ids[0] != ids[3] || all[1].ID != ids[0] || all[1].Content != "goal: fix the crane" {
		t.Errorf("%q, %+v", ids, all)
	}
	if _, err := s.Forget(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	d.Content = "goal: fix the crane. It went on"
	if all := learn(t, s, d); len(all) != 1 {
		t.Errorf("the session was forgotten, and is there again: %+v", all)
	}
}

func TestSupersede(t *testing.T) {
	s := newFixture(t).rows()
	old := save(t, s, note("The gateway listens on port 8080"))
	d := note("The gateway moved behind the proxy, use 9090 instead")
	d.Supersedes = old.ID
	renewed := save(t, s, d)
	if renewed.Kept != KeptSuperseded || get(t, s, old.ID).SupersededBy != renewed.ID || get(t, s, renewed.ID).SupersededBy != "" {
		t.Errorf("%+v, %+v", renewed, get(t, s, old.ID))
	}
	// Who says the old thing again means it.
	if again := save(t, s, note("the gateway listens on port 8080")); again.ID != old.ID || get(t, s, old.ID).SupersededBy != "" || get(t, s, renewed.ID).SupersededBy != old.ID {
		t.Errorf("%+v, %+v, %+v", again, get(t, s, old.ID), get(t, s, renewed.ID))
	}
	var unknown *UnknownError
	d.Supersedes = "mem_none"
	if _, err := s.Save(t.Context(), d); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if self := note("The gateway listens on port 8080"); true {
		self.Supersedes = old.ID
		if saved := save(t, s, self); saved.ID != old.ID || get(t, s, old.ID).SupersededBy != "" {
			t.Errorf("it superseded itself: %+v", saved)
		}
	}
	late := memory.Draft{Content: "The harbor closes at ten", Supersedes: "mem_none"}
	if all := learn(t, s, late); all[0].Gist != late.Content {
		t.Errorf("%+v", all)
	}
}

// A model's guess does not replace the user's words, but who saves does.
func TestTrustOfTexts(t *testing.T) {
	s := newFixture(t).rows()
	said := memory.Draft{Kind: memory.Preference, Trust: memory.Said, Content: "Always run the linter and the formatter before you commit anything to main"}
	id := learn(t, s, said)[0].ID
	guess := said
	guess.Trust, guess.Content = memory.Drafted, "always run the linter and the formatter before you commit anything to main today"
	if m := learn(t, s, guess); len(m) != 1 || m[0].Trust != memory.Said || m[0].Content != said.Content {
		t.Errorf("%+v", m)
	}
	if saved := save(t, s, memory.Draft{Kind: memory.Preference, Content: guess.Content}); saved.ID != id || get(t, s, id).Content != guess.Content || get(t, s, id).Trust != memory.Saved {
		t.Errorf("%+v", get(t, s, id))
	}
	if m := learn(t, s, said); m[0].Trust != memory.Said || m[0].Content != said.Content {
		t.Errorf("%+v", m)
	}
}

func TestForgottenIsNotLearnedAgain(t *testing.T) {
	s := newFixture(t).rows()
	d := memory.Draft{Kind: memory.Preference, Trust: memory.Said, Content: "Never push to main"}
	id := learn(t, s, d)[0].ID
	gone, err := s.Forget(t.Context(), id)
	if err != nil || len(gone) != 1 || gone[0].Gist != "Never push to main" {
		t.Fatalf("%+v, %v", gone, err)
	}
	again := d
	again.Content, again.Kind = "never push to MAIN!", memory.Decision
	if all := learn(t, s, d, again); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if saved := save(t, s, d); saved.Kept != KeptNew {
		t.Errorf("%+v", saved)
	}
	if all := learn(t, s, d); len(all) != 1 {
		t.Errorf("somebody has saved it, and it is not learned: %+v", all)
	}
	var unknown *UnknownError
	if _, err := s.Forget(t.Context(), id); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

func TestSecretsAndPrivateBlocksAreTakenOut(t *testing.T) {
	s := newFixture(t).rows()
	token := "ghp_" + "x9Kq2LmZ7Rt4Wv8Yb1Nc5Hd3Jf6Gs0PaQe7U"
	saved := save(t, s, memory.Draft{
		Gist: "The token is " + token, Content: "Deploy with GITHUB_TOKEN=" + token + "\n<Private>the merger is in May</PRIVATE> and so on <private>and June",
		Tags: []string{token}, Files: []string{"keys/" + token},
	})
	m := get(t, s, saved.ID)
	for _, text := range append(append([]string{m.Gist, m.Content}, m.Tags...), m.Files...) {
		if strings.Contains(text, token) || strings.Contains(text, "merger") || strings.Contains(text, "June") {
			t.Errorf("%q", text)
		}
	}
	if len(saved.Scrubbed) == 0 || !strings.Contains(m.Content, "and so on") {
		t.Errorf("%+v, %q", saved, m.Content)
	}
	var refused *DraftError
	for name, d := range map[string]memory.Draft{
		"empty": {Content: " \n"}, "private": {Content: "<private>all of it"}, "kind": {Content: "a", Kind: "poem"}, "scope": {Content: "a", Scope: "galaxy"},
		"trust": {Content: "a", Trust: "sworn"}, "outcome": {Content: "a", Outcome: "maybe"},
	} {
		if _, err := s.Save(t.Context(), d); !errors.As(err, &refused) || refused.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	s := newFixture(t).rows()
	long := strings.Repeat("räksmörgås ", 10_000)
	d := memory.Draft{Content: long, Session: strings.Repeat("é", 400), Source: long, Commit: long}
	for range 100 {
		d.Tags, d.Files = append(d.Tags, long), append(d.Files, long)
	}
	saved := save(t, s, d)
	m := get(t, s, saved.ID)
	if !saved.Cut || len([]rune(m.Content)) != memory.MaxContent || len([]rune(m.Gist)) != memory.MaxGist || len(m.Session) > maxSession ||
		len(m.Tags) != 1 || len([]rune(m.Files[0])) > maxFile {
		t.Errorf("%d, %d, %d, %d tags", len([]rune(m.Content)), len([]rune(m.Gist)), len(m.Session), len(m.Tags))
	}
	for _, text := range []string{"a\x00b", "\xff\xfe", "日本語", "🚀🚀", "...", "</memory-data>", "the of and"} {
		saved := save(t, s, note(text))
		again := save(t, s, note(text))
		if saved.ID == "" || again.ID != saved.ID {
			t.Errorf("%q: %+v, %+v", text, saved, again)
		}
	}
}

// A clock that jumps back gives no memory that was changed before it was made, and does not change the order.
func TestClockJumps(t *testing.T) {
	f := newFixture(t)
	clock := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	f.options.Now = func() time.Time { return clock }
	s := f.rows()
	first := save(t, s, note("the first thing"))
	clock = clock.Add(-48 * time.Hour)
	second := save(t, s, note("another matter"))
	save(t, s, note("the first thing"))
	if _, err := s.Feedback(t.Context(), first.ID, true, ""); err != nil {
		t.Fatal(err)
	}
	d := note("from the future")
	d.At = clock.Add(1000 * time.Hour)
	save(t, s, d)
	all, err := s.List(t.Context(), ListQuery{})
	must(t, err)
	for _, m := range all {
		if m.Updated.Before(m.Created) || m.Created.After(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)) {
			t.Errorf("%q was made %v and changed %v", m.Gist, m.Created, m.Updated)
		}
	}
	if all[1].ID != second.ID || all[2].ID != first.ID {
		t.Errorf("%+v", all)
	}
}

func TestFeedback(t *testing.T) {
	s := newFixture(t).rows()
	id := save(t, s, note("the crane needs grease")).ID
	for _, step := range []struct {
		helpful bool
		want    float64
	}{{true, 2. / 3}, {false, 2. / 4}, {false, 2. / 5}} {
		if got, err := s.Feedback(t.Context(), id, step.helpful, "my password: hunter2hunter2"); got != step.want || err != nil {
			t.Errorf("%v, %v, want %v", got, err, step.want)
		}
	}
	e, err := s.Expand(t.Context(), id)
	if err != nil || len(e.History) != 4 || e.History[1].What != store.Helpful || e.History[3].What != store.Unhelpful || e.History[1].Note == "" {
		t.Errorf("%+v, %v", e.History, err)
	}
	var unknown *UnknownError
	if _, err := s.Feedback(t.Context(), "mem_none", true, ""); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

// Learn never waits: what does not fit is counted, and Flush says so once.
func TestLearnDoesNotWait(t *testing.T) {
	s := newFixture(t).rows()
	held, free := make(chan struct{}), make(chan struct{})
	go func() {
		_ = s.db.Write(t.Context(), func(*store.Tx) error { close(held); <-free; return nil })
	}()
	<-held
	for range maxQueued + 50 {
		s.Learn(note("the crane needs grease"))
	}
	if st := s.Status(t.Context()); st.Lost == 0 || st.LostWhy == "" || st.Queued == 0 {
		t.Errorf("%+v", st)
	}
	close(free)
	var lost *LostError
	if err := s.Flush(t.Context()); !errors.As(err, &lost) || lost.Drafts < 49 || lost.Drafts > 50 {
		t.Error(err)
	}
	must(t, s.Flush(t.Context()))
	if all, err := s.List(t.Context(), ListQuery{}); len(all) != 1 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	closeStore(t, s)
	s.Learn(note("too late")) // which must not panic
}
