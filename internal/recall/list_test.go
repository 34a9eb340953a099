package recall

import (
	"path/filepath"
	"slices"
	"testing"

	"tidepool/internal/recall/memory"
)

// However many preferences of another project come later, those of this project and those for all are listed, and no others.
func TestListOfWhatTheUserSaidHere(t *testing.T) {
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
	got, err := s.List(t.Context(), ListQuery{Kinds: []memory.Kind{memory.Preference}, Told: true, Limit: 5})
	must(t, err)
	var texts []string
	for _, m := range got {
		texts = append(texts, m.Content)
	}
	if want := []string{"never force a push", "always use pnpm in web"}; !slices.Equal(texts, want) {
		t.Errorf("listed %q", texts)
	}
}
