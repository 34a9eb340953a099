package recall

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
)

// However many preferences of another project come later, a session is told those of this project and those for all, and no others. What
// changes in between counts.
func TestGreeting(t *testing.T) {
	f := newFixture(t)
	s, other := f.rows(), f.in(filepath.Join(t.TempDir(), "reef")).rows()
	said := func(s *Store, text string, scope memory.Scope, trust memory.Trust) {
		save(t, s, memory.Draft{Content: text, Kind: memory.Preference, Scope: scope, Trust: trust, Source: "user prompt"})
	}
	said(s, "always use pnpm in web", memory.ForProject, memory.Said)
	said(s, "tabs were seen in makefiles", memory.ForProject, memory.Observed)
	said(other, "never force a push", memory.ForUser, memory.Said)
	for _, animal := range []string{"otter", "heron", "crab", "whelk", "limpet", "urchin"} {
		said(other, "always name the fixture after one "+animal, memory.ForProject, memory.Said)
	}
	preferences := func() (texts []string) {
		t.Helper()
		g, err := s.Greeting(t.Context(), "new")
		must(t, err)
		for _, m := range g.Preferences {
			texts = append(texts, m.Content)
		}
		return texts
	}
	want := []string{"never force a push", "always use pnpm in web"}
	if got := preferences(); !slices.Equal(got, want) {
		t.Errorf("a session is told %q", got)
	}
	said(other, "never rewrite a tag", memory.ForUser, memory.Said) // by another process, as far as this store knows
	if got := preferences(); !slices.Equal(got, append([]string{"never rewrite a tag"}, want...)) {
		t.Errorf("after a change it is told %q", got)
	}
	g, err := s.Greeting(t.Context(), "new")
	must(t, err)
	_, err = s.Forget(t.Context(), g.Preferences[0].ID)
	must(t, err)
	if got := preferences(); !slices.Equal(got, want) {
		t.Errorf("after forgetting it is told %q", got)
	}
}

// The last session is the one that began last, whenever it was learned of, and not the one that begins.
func TestGreetingOfTheLastSession(t *testing.T) {
	s := newFixture(t).rows()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, session := range []string{"second", "third", "first"} { // the first was read from its transcript late
		save(t, s, memory.Draft{Kind: memory.Session, Session: session, Content: "Goal: mend the " + session + " winch", Replaces: true, At: at.AddDate(0, 0, (i+1)%3)})
	}
	for session, want := range map[string]string{"new": "third", "third": "second"} {
		g, err := s.Greeting(t.Context(), session)
		must(t, err)
		if g.Last == nil || g.Last.Session != want {
			t.Errorf("before %s came %+v", session, g.Last)
		}
	}
}
