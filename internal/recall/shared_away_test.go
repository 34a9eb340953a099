package recall

import (
	"errors"
	"net"
	"strings"
	"testing"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
)

func TestWithoutATeam(t *testing.T) {
	s := newFixture(t).open()
	const id = "team_0123456789ab"
	_, saving := s.Save(t.Context(), memory.Draft{Content: "x y", Scope: memory.ForTeam})
	_, recalling := s.Recall(t.Context(), Query{Text: "x", Scope: ScopeTeam})
	_, expanding := s.Expand(t.Context(), id)
	_, forgetting := s.Forget(t.Context(), id)
	_, rating := s.Feedback(t.Context(), id, true, "")
	for _, err := range []error{saving, recalling, expanding, forgetting, rating} {
		if none := (*NoTeamError)(nil); !errors.As(err, &none) {
			t.Error(err)
		}
	}
}

// gone returns a team whose server is away.
func gone(t *testing.T, f *fixture) *team.Team {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	must(t, l.Close())
	shared, err := team.Open(team.Options{Address: "postgres://" + address + "/shared?sslmode=disable", Scrub: f.options.Scrub})
	must(t, err)
	t.Cleanup(shared.Close)
	return shared
}

// A server that is away costs its memories only, and the answer says so.
func TestTeamIsAway(t *testing.T) {
	f := newFixture(t)
	f.options.Team = gone(t, f)
	s := f.open()
	save(t, s, note("TestDrainOrder raced because Stop closed the channel before the last worker returned."))
	for range 3 {
		found, err := s.Recall(t.Context(), Query{Text: "TestDrainOrder"})
		must(t, err)
		if len(found.Memories) != 1 || found.Complete || !strings.Contains(found.Why, "the team's database shared at 127.0.0.1 does not answer: connection refused") {
			t.Errorf("%+v", found)
		}
	}
	found, err := s.Recall(t.Context(), Query{Text: "TestDrainOrder", Scope: ScopeTeam})
	if err != nil || found.Complete || len(found.Memories) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	told, err := s.Recollect(t.Context(), Prompt{Session: "s", Text: "Why did TestDrainOrder race when Stop closed the channel of the worker?"})
	if err != nil || len(told.Memories) != 1 {
		t.Errorf("%+v, %v", told, err)
	}
	if _, err := s.Save(t.Context(), memory.Draft{Content: "x y", Scope: memory.ForTeam}); err == nil {
		t.Error("saved")
	}
	if st := s.Status(t.Context()); st.Team == nil || st.Team.Away == "" {
		t.Errorf("%+v", st.Team)
	}
	if found, err := f.apart().Recall(t.Context(), Query{Text: "TestDrainOrder"}); err != nil || !found.Complete {
		t.Errorf("where other projects are kept out, the team is, too: %+v, %v", found, err)
	}
}

// apart opens the same memories where other projects are kept out.
func (f *fixture) apart() *Store {
	f.t.Helper()
	o := f.options
	o.Scope = ScopeProject
	return (&fixture{f.t, o}).open()
}
