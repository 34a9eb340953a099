package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/team"
)

// How long the team's database is waited for.
const (
	teamAtPrompt = 15 * time.Millisecond // while this machine's memories are ranked
	teamReserve  = 4 * time.Millisecond  // of a prompt's time that is left for the others
	teamWait     = 2 * time.Second       // when somebody asks
)

// teamPatience returns how long a prompt waits for the team's database: as long as its context allows, but for what the other memories take.
func teamPatience(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline) - teamReserve
	}
	return teamAtPrompt
}

// A NoTeamError means that something was asked of the team's memories, and that there are none.
type NoTeamError struct{}

func (*NoTeamError) Error() string { return "no database of a team is set" }

// Hint says what to do.
func (*NoTeamError) Hint() string {
	return "set recall.team to the address of a PostgreSQL database, or use another scope"
}

// saveShared keeps a draft in the team's database: nothing of it stays here.
func (s *Store) saveShared(ctx context.Context, d memory.Draft) (Saved, error) {
	if s.options.Team == nil {
		return Saved{}, &NoTeamError{}
	}
	d.Scope = memory.ForProject // as which it is checked, and freed of secrets and private blocks
	r, err := s.refiner.refine(d, s.options.Now())
	if err != nil {
		return Saved{}, err
	}
	d.Kind, d.Gist, d.Content, d.Tags, d.Files, d.At = r.Kind, r.Gist, r.Content, r.Tags, r.Files, r.Created
	saved, err := s.options.Team.Save(ctx, s.options.Project, d)
	found := slices.Concat(r.scrubbed, saved.Scrubbed)
	slices.Sort(found)
	return Saved{ID: saved.ID, Kept: saved.Kept, Scrubbed: slices.Compact(found), Cut: r.cut}, err
}

// expandShared returns all that is known of a memory of the team.
func (s *Store) expandShared(ctx context.Context, id string) (Expanded, error) {
	if s.options.Team == nil {
		return Expanded{}, &NoTeamError{}
	}
	e, err := s.options.Team.Expand(ctx, id, neighbours)
	switch {
	case err != nil:
		return Expanded{}, err
	case e == nil:
		return Expanded{}, unknown(id)
	}
	return Expanded{Memory: e.Memory, Foreign: true, Before: e.Before, After: e.After}, nil
}

// forgetShared removes memories of the team, and returns those that were there. The error is an *UnknownError if one was not.
func (s *Store) forgetShared(ctx context.Context, ids []string) ([]memory.Memory, error) {
	if s.options.Team == nil {
		return nil, &NoTeamError{}
	}
	gone, err := s.options.Team.Forget(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(gone, func(m memory.Memory) bool { return m.ID == id }) {
			return gone, unknown(id)
		}
	}
	return gone, nil
}

func (s *Store) feedbackShared(ctx context.Context, id string, helpful bool) (confidence float64, err error) {
	if s.options.Team == nil {
		return 0, &NoTeamError{}
	}
	confidence, found, err := s.options.Team.Feedback(ctx, id, helpful)
	if err == nil && !found {
		err = unknown(id)
	}
	return confidence, err
}

// A sharedAnswer is what the team's database found, and why that may not be all; "": it is.
type sharedAnswer struct {
	team.Found
	why string
}

// askTeam begins to ask the team's database, and returns what waits for the answer: no longer than so long. Without a team, and where other
// projects are kept out, there is nothing to ask.
func (s *Store) askTeam(ctx context.Context, q team.Query, patience time.Duration) (answer func() sharedAnswer) {
	if s.options.Team == nil || s.options.Scope != ScopeAll {
		return func() sharedAnswer { return sharedAnswer{} }
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	answered := make(chan sharedAnswer, 1)
	go func() { // ends with the context
		defer cancel()
		found, err := s.options.Team.Recall(ctx, q)
		a := sharedAnswer{found, found.Why}
		if err != nil {
			a.why = err.Error()
		}
		answered <- a
	}()
	return func() sharedAnswer { return <-answered }
}

// recallTeam finds the team's memories alone.
func (s *Store) recallTeam(ctx context.Context, q *Query, limit int) (Found, error) {
	found := Found{Complete: true}
	switch {
	case s.options.Team == nil:
		return Found{}, &NoTeamError{}
	case s.options.Scope != ScopeAll:
		return Found{Why: "the setting recall.scope keeps other projects out"}, nil
	}
	s.recallShared(ctx, q, limit, &found)
	return found, nil
}

// asksTeam reports whether a query is about the team's memories, too.
func (q *Query) asksTeam() bool {
	return q.Project == "" && (q.Scope == "" || q.Scope == ScopeAll)
}

// recallShared adds what the team's database finds to an answer.
func (s *Store) recallShared(ctx context.Context, q *Query, limit int, found *Found) {
	answer := s.askTeam(ctx, team.Query{
		Text: q.Text, Limit: limit, Project: q.Project, Kinds: q.Kinds, Outcome: q.Outcome, Since: q.Since, Session: q.Session,
	}, teamWait)()
	found.Why = join(found.Why, answer.why)
	found.Complete = found.Why == ""
	for i := range answer.Memories {
		hit := sharedHit(&answer.Memories[i])
		if !slices.ContainsFunc(found.Memories, func(h Hit) bool { return alike(wordsOf(&h.Memory), wordsOf(&hit.Memory)) }) {
			found.Memories = append(found.Memories, hit)
		}
	}
	slices.SortStableFunc(found.Memories, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	found.Memories = found.Memories[:min(len(found.Memories), limit)]
}

// sharedHit returns a memory of the team as one of another project.
func sharedHit(h *team.Hit) Hit {
	return Hit{Memory: h.Memory, Score: foreignCount * h.Score, Foreign: true}
}

// weighShared decides about the team's memories, behind those of this machine.
func (e *Explanation) weighShared(answer sharedAnswer, loaded *loadedTexts, already map[string]bool) {
	e.Team = answer.why
	told := 0
	for i := range e.Candidates {
		if e.Candidates[i].Told {
			told++
		}
	}
	here := e.Candidates
	for i := range answer.Memories {
		hit := &answer.Memories[i]
		one := Considered{Hit: sharedHit(hit), Addends: hit.Addends, Z: hit.Z, Matched: hit.Matched, Needed: e.Strong}
		same := func(c Considered) bool { return c.Told && alike(wordsOf(&c.Memory), wordsOf(&hit.Memory)) }
		one.Why = verdict(&one, answer.Thin, already[hit.ID], told, loaded)
		if one.Why == "" && slices.ContainsFunc(here, same) {
			one.Why = "a memory of this machine says it"
		}
		if one.Told = one.Why == ""; one.Told {
			told++
		}
		e.Candidates = append(e.Candidates, one)
	}
}
