package recall

import (
	"context"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

const (
	tellMost   = 3  // memories at a prompt
	tellBudget = 8  // memories that a session is told for ordinary evidence; more need strong evidence
	considered = 20 // memories that are looked at for a prompt
)

// States of what a prompt is told.
const (
	StateTold     = "told"
	StateSilent   = "silent"   // no memory had enough evidence
	StateBuilding = "building" // the index is not complete, so nothing was looked at
)

// A Prompt is what memories are looked for.
type Prompt struct {
	Session string // each memory is told once in it
	Agent   string // "": the main one. What another agent of the session was told, it does not know
	Text    string // at most 16 KB of it count
	Loaded  []string // texts that the model has already: what they say is not told; at most 256 KB of them count
}

// conversation returns what memories are told once in.
func (p *Prompt) conversation() string {
	if p.Agent == "" {
		return p.Session
	}
	return p.Session + "/" + p.Agent
}

// Told is what a prompt is told, the best first.
type Told struct {
	Memories []Hit  // at most 3
	State    string // StateTold, StateSilent, StateBuilding
	Why      string // of StateSilent and StateBuilding
}

// Recollect returns the memories that a prompt is told, and marks them as told. It waits for nothing but the context, and for no write. Errors: *IndexError, and
// those of the database.
func (s *Store) Recollect(ctx context.Context, p Prompt) (Told, error) {
	e, err := s.consider(ctx, &p)
	if err != nil || e.State == StateBuilding {
		return Told{State: e.State, Why: e.Why}, err
	}
	told := Told{State: e.State, Why: e.Why}
	for i := range e.Candidates {
		if c := &e.Candidates[i]; c.Told && s.told.claim(p.conversation(), c.N) {
			c.Hit.Stale = s.stale.of(ctx, &c.Hit)
			told.Memories = append(told.Memories, c.Hit)
			s.mark(p.conversation(), c.N)
		}
	}
	return told, nil
}

// mark queues the record of what a conversation was told, which another process may need. If the queue is full, only this one knows.
func (s *Store) mark(conversation string, n uint32) {
	now := s.options.Now()
	s.queue.put(job{do: func(ctx context.Context) error {
		return s.db.Write(ctx, func(tx *store.Tx) error { return tx.Tell(conversation, n, now) })
	}})
}

// An Explanation says what a prompt would be told, and why.
type Explanation struct {
	State      string // as in Told
	Why        string
	Words      []evidence.Word // of the prompt
	Bar        float64         // the evidence z that a memory needs
	Strong     float64         // the same of another project's, and of any once a session was told 8
	Already    int             // memories that the session was told before
	Candidates []Considered    // the best first, at most 20
}

// A Considered is a memory that shares words with a prompt. Drafted and superseded ones are not considered.
type Considered struct {
	Hit
	Addends evidence.Addends  // of its score
	Z       evidence.Evidence // its addends; their sum decides
	Matched []string          // words of the prompt that it has
	Needed  float64           // the z that it needs
	Told    bool
	Why     string // why it is not told
}

// Why returns what Recollect would tell, and marks nothing as told. It waits up to two seconds for the index.
func (s *Store) Why(ctx context.Context, p Prompt) (Explanation, error) {
	if s.live != nil {
		if _, _, err := s.live.ask(ctx, loadWait); err != nil {
			return Explanation{}, err
		}
	}
	e, err := s.consider(ctx, &p)
	for i := range e.Candidates {
		if c := &e.Candidates[i]; c.Told {
			c.Hit.Stale = s.stale.of(ctx, &c.Hit)
		}
	}
	return e, err
}

// consider ranks memories for a prompt, and decides which are told.
func (s *Store) consider(ctx context.Context, p *Prompt) (Explanation, error) {
	if s.live == nil {
		return Explanation{}, &IndexError{"they were opened without an index"}
	}
	if !s.live.isReady() {
		return Explanation{State: StateBuilding, Why: s.live.progress()}, nil
	}
	x, _, err := s.live.ask(ctx, 0) // what came a moment ago may be missing: then it is told the next time
	if err != nil {
		return Explanation{}, err
	}
	already, err := s.told.of(ctx, s.db, p.conversation())
	if err != nil {
		return Explanation{}, err
	}
	seen := reading{ctx: ctx, db: s.db}
	ranking, err := x.Rank(index.Query{
		Text: wording.ClipBytes(p.Text, maxQuery), Limit: considered, Keep: s.tellable, Discount: s.discount, Read: seen.read,
	})
	if err != nil {
		return Explanation{}, err
	}
	constants := evidence.Fitted()
	e := Explanation{
		State: StateSilent, Words: ranking.Words, Bar: constants.Bar + s.options.Floor, Strong: constants.Strong + s.options.Floor, Already: len(already),
	}
	e.weigh(s, &ranking, &seen, p, already)
	return e, nil
}

// tellable reports whether a memory may be told at all.
func (s *Store) tellable(d index.Doc) bool {
	if d.Trust == memory.Drafted || d.Superseded {
		return false
	}
	return s.options.Scope == ScopeAll || d.Project == "" || d.Project == s.options.Project.Key
}

// weigh decides about the candidates of a ranking.
func (e *Explanation) weigh(s *Store, ranking *evidence.Ranking, seen *reading, p *Prompt, already map[uint32]bool) {
	loaded := loadedTexts{texts: p.Loaded}
	told := 0
	for _, c := range ranking.Candidates {
		r := seen.of(c.N)
		if r == nil || r.Trust == memory.Drafted || r.Quiet || r.SupersededBy != "" { // it has changed a moment ago
			continue
		}
		one := Considered{Hit: s.hit(r, c.Score), Addends: c.Addends, Z: c.Z, Matched: c.Matched, Needed: e.Bar}
		if one.Foreign || e.Already+told >= tellBudget {
			one.Needed = e.Strong
		}
		switch {
		case ranking.Thin:
			one.Why = "the prompt has fewer than two words that say anything, and no identifier"
		case already[c.N]:
			one.Why = "the session was told before"
		case c.Z.Z() < one.Needed:
			one.Why = "the evidence is too weak"
		case told == tellMost:
			one.Why = "better ones are told"
		case loaded.say(&r.Memory):
			one.Why = "Claude Code has loaded a text that says it"
		default:
			one.Told = true
			told++
		}
		e.Candidates = append(e.Candidates, one)
	}
	switch {
	case told > 0:
		e.State = StateTold
	case len(e.Candidates) == 0:
		e.Why = "no memory shares a word with the prompt"
	default:
		e.Why = e.Candidates[0].Why
	}
}
