//go:build team

package recall

import (
	"errors"
	"strings"
	"testing"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
	"tidepool/internal/recall/team/teamtest"
)

// A team's memory is found, told and forgotten from any machine; what is saved for the team is in its database and nowhere here.
func TestTeam(t *testing.T) {
	server, err := teamtest.Start()
	must(t, err)
	t.Cleanup(func() { must(t, server.Stop()) })
	address := server.URL(teamtest.Superuser, "postgres")
	machine := func(author string) *Store {
		t.Helper()
		f := newFixture(t) // a home of its own
		shared, err := team.Open(team.Options{Address: address, Author: author, Scrub: f.options.Scrub})
		must(t, err)
		t.Cleanup(shared.Close)
		f.options.Team = shared
		return f.open()
	}
	maria, jo := machine("maria"), machine("jo")
	const text = "TestDrainOrder raced because Stop closed the channel before the last worker returned. <private>my own</private>"
	saved := save(t, maria, memory.Draft{Kind: memory.Fix, Scope: memory.ForTeam, Content: text, Files: []string{"pool/drain.go"}, Source: "memory_save"})
	if saved.Kept != KeptNew || !team.Has(saved.ID) {
		t.Fatalf("%+v", saved)
	}
	if all, err := maria.List(t.Context(), ListQuery{}); err != nil || len(all) != 0 {
		t.Errorf("it is here, too: %+v, %v", all, err)
	}
	if all := server.Run(t, "postgres", "SELECT * FROM tidepool.memory"); strings.Contains(all, "my own") || strings.Contains(all, t.TempDir()) {
		t.Error(all)
	}
	save(t, jo, note("The web directory uses pnpm."))

	for _, scope := range []string{"", ScopeAll, ScopeTeam} {
		found, err := jo.Recall(t.Context(), Query{Text: "why did drain order race", Scope: scope})
		must(t, err)
		if !found.Complete || len(found.Memories) != 1 || found.Memories[0].ID != saved.ID || !found.Memories[0].Foreign || found.Memories[0].Author != "maria as postgres" {
			t.Errorf("%q: %+v", scope, found)
		}
	}
	for _, scope := range []string{ScopeProject, ScopeUser} {
		if found, err := jo.Recall(t.Context(), Query{Text: "why did drain order race", Scope: scope}); err != nil || len(found.Memories) != 0 {
			t.Errorf("%q: %+v, %v", scope, found, err)
		}
	}

	prompt := Prompt{Session: "s", Text: "Why did TestDrainOrder race when Stop closed the channel of the last worker?"}
	why, err := jo.Why(t.Context(), prompt)
	must(t, err)
	if why.Team != "" || why.State != StateTold || len(why.Candidates) != 1 || why.Candidates[0].Needed != why.Strong || why.Candidates[0].Z.Z() < why.Strong {
		t.Errorf("%+v", why)
	}
	var told Told
	for range 1000 { // a busy machine may not answer within a prompt's patience
		if told, err = jo.Recollect(t.Context(), prompt); err != nil || len(told.Memories) > 0 {
			break
		}
	}
	if err != nil || len(told.Memories) != 1 || told.Memories[0].ID != saved.ID {
		t.Errorf("%+v, %v", told, err)
	}
	must(t, jo.Flush(t.Context()))
	jo.toldShared = newTellings(jo.db.ToldShared) // as another daemon knows it
	if why, err = jo.Why(t.Context(), prompt); err != nil || why.State != StateSilent || why.Why != "the session was told before" || why.Already != 1 {
		t.Errorf("%+v, %v", why, err)
	}

	if e, err := jo.Expand(t.Context(), saved.ID); err != nil || !e.Foreign || len(e.Files) != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	if c, err := jo.Feedback(t.Context(), saved.ID, true, "it was so"); err != nil || c <= .5 {
		t.Error(c, err)
	}
	own := save(t, jo, note("We release on Mondays."))
	gone, err := jo.Forget(t.Context(), saved.ID, own.ID)
	if err != nil || len(gone) != 2 {
		t.Errorf("%+v, %v", gone, err)
	}
	_, err = maria.Expand(t.Context(), saved.ID)
	if unknown := (*UnknownError)(nil); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if _, err = jo.Feedback(t.Context(), saved.ID, true, ""); err == nil {
		t.Error("a memory that is gone was rated")
	}
}
