package recall

import (
	"context"
	"slices"
	"time"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/recall/team"
	"tidepool/internal/wording"
)

const (
	tellMost   = 3  // memories at a prompt
	tellBudget = 8  // memories that a session is told for ordinary evidence; more need strong evidence
	considered = 20 // memories that are looked at for a prompt, as reading them costs most: with 12 or 30 no more are told rightly
)

// States of what a prompt is told.
const (
	StateTold     = "told"
	StateSilent   = "silent"   // no memory had enough evidence
	StateBuilding = "building" // the index is not complete, so nothing was looked at
)

// Why a memory is not told.
const (
	whyThin = "the prompt has fewer than two words that say anything, and no identifier"
	whyWeak = "the evidence is too weak"
)

// A Prompt is what memories are looked for.
type Prompt struct {
	Session string   // each memory is told once in it
	Agent   string   // "": the main one. What another agent of the session was told, it does not know
	Text    string   // at most 16 KB of it count
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

// Recollect returns the memories that a prompt is told, and marks them as told. It waits for nothing but the context, and for no write.
// Errors: *IndexError, and those of the database.
func (s *Store) Recollect(ctx context.Context, p Prompt) (Told, error) {
	e, err := s.consider(ctx, &p, teamPatience(ctx), false)
	if err != nil || e.State == StateBuilding {
		return Told{State: e.State, Why: e.Why}, err
	}
	told := Told{State: e.State, Why: e.Why}
	var claims []func(*store.Tx) error
	for i := range e.Candidates {
		c := &e.Candidates[i]
		if !c.Told {
			continue
		}
		if claim := s.claim(p.conversation(), c); claim != nil {
			claims = append(claims, claim)
			c.Hit.Stale = s.stale.of(ctx, &c.Hit)
			told.Memories = append(told.Memories, c.Hit)
		}
	}
	if len(claims) > 0 {
		s.queueWrite(func(tx *store.Tx) error { return all(tx, claims) })
	}
	return told, nil
}

// all runs parts of a transaction.
func all(tx *store.Tx, parts []func(*store.Tx) error) error {
	for _, part := range parts {
		if err := part(tx); err != nil {
			return err
		}
	}
	return nil
}

// claim records that a conversation is told a memory, and returns the record for the database, which another process may need; nil: it
// was told before. If the queue is full, only this process knows.
func (s *Store) claim(conversation string, c *Considered) func(*store.Tx) error {
	now, n, id := s.options.Now(), c.N, c.ID
	switch {
	case c.Scope == memory.ForTeam && s.toldShared.claim(conversation, id):
		return func(tx *store.Tx) error { return tx.TellShared(conversation, id, now) }
	case c.Scope != memory.ForTeam && s.told.claim(conversation, n):
		return func(tx *store.Tx) error { return tx.Tell(conversation, n, now) }
	}
	return nil
}

// An Explanation says what a prompt would be told, and why.
type Explanation struct {
	State      string // as in Told
	Why        string
	Words      []evidence.Word // of the prompt
	Bar        float64         // the evidence z that a memory needs
	Strong     float64         // the same of another project's, and of any once a session was told 8
	Already    int             // memories that the session was told before
	Team       string          // why not all memories of the team were considered; "": they were, or there is no team
	Candidates []Considered    // the best first, at most 20; then those of the team, at most 3
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
	e, err := s.consider(ctx, &p, teamWait, true)
	for i := range e.Candidates {
		if c := &e.Candidates[i]; c.Told {
			c.Hit.Stale = s.stale.of(ctx, &c.Hit)
		}
	}
	return e, err
}

// consider ranks memories for a prompt, and decides which are told. It waits so long for the team's. With whole it explains all that were
// considered, else those that may be told.
func (s *Store) consider(ctx context.Context, p *Prompt, patience time.Duration, whole bool) (Explanation, error) {
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
	already, err := s.told.of(ctx, p.conversation())
	if err != nil {
		return Explanation{}, err
	}
	var alreadyShared map[string]bool
	if s.options.Team != nil {
		if alreadyShared, err = s.toldShared.of(ctx, p.conversation()); err != nil {
			return Explanation{}, err
		}
	}
	text := wording.ClipBytes(p.Text, maxQuery)
	shared := s.askTeam(ctx, team.Query{Text: text, Limit: tellMost, Current: true}, patience)
	seen := reading{ctx: ctx, db: s.db}
	ranking, err := x.Rank(index.Query{
		Text: text, Limit: considered, Depth: considered, Cosine: s.cosines(ctx, text), Keep: s.tellable, Discount: s.discount, Read: seen.texts,
	})
	if err != nil {
		return Explanation{}, err
	}
	constants := evidence.Fitted()
	e := Explanation{
		State: StateSilent, Words: ranking.Words, Bar: constants.Bar + s.options.Floor, Strong: constants.Strong + s.options.Floor, Already: len(already) + len(alreadyShared),
	}
	explained := numbersOf(ranking.Candidates)
	if !whole {
		explained = e.likely(&ranking, already)
	}
	if err := seen.load(explained); err != nil {
		return Explanation{}, err
	}
	loaded := &loadedTexts{texts: p.Loaded}
	e.weigh(s, &ranking, &seen, loaded, already)
	e.weighShared(shared(), loaded, alreadyShared)
	e.conclude(&ranking)
	return e, nil
}

// tellable reports whether a memory may be told at all.
func (s *Store) tellable(d index.Doc) bool {
	if d.Trust == memory.Drafted || d.Superseded {
		return false
	}
	return s.options.Scope == ScopeAll || d.Project == "" || d.Project == s.options.Project.Key
}

// likely returns the candidates that may be told by what is known before they are read.
func (e *Explanation) likely(ranking *evidence.Ranking, already map[uint32]bool) (numbers []uint32) {
	for _, c := range ranking.Candidates {
		if !ranking.Thin && !already[c.N] && c.Z.Z() >= min(e.Bar, e.Strong) {
			numbers = append(numbers, c.N)
		}
	}
	return numbers
}

// weigh decides about the candidates of a ranking.
func (e *Explanation) weigh(s *Store, ranking *evidence.Ranking, seen *reading, loaded *loadedTexts, already map[uint32]bool) {
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
		one.Why = verdict(&one, ranking.Thin, already[c.N], told, loaded)
		if one.Told = one.Why == ""; one.Told {
			told++
		}
		e.Candidates = append(e.Candidates, one)
	}
}

// verdict returns why a memory is not told, if thin says that the prompt has too few words, before that it was told, and so many are told
// already; "": it is told.
func verdict(one *Considered, thin, before bool, told int, loaded *loadedTexts) string {
	switch {
	case thin:
		return whyThin
	case before:
		return "the session was told before"
	case one.Z.Z() < one.Needed:
		return whyWeak
	case told == tellMost:
		return "better ones are told"
	case loaded.say(&one.Memory):
		return "Claude Code has loaded a text that says it"
	}
	return ""
}

// conclude says what all candidates come to.
func (e *Explanation) conclude(ranking *evidence.Ranking) {
	switch {
	case slices.ContainsFunc(e.Candidates, func(c Considered) bool { return c.Told }):
		e.State = StateTold
	case len(e.Candidates) == 0 && len(ranking.Candidates) == 0:
		e.Why = "no memory shares a word with the prompt"
	case len(e.Candidates) == 0 && ranking.Thin:
		e.Why = whyThin
	case len(e.Candidates) == 0:
		e.Why = whyWeak + ", or the session was told before"
	default:
		e.Why = e.Candidates[0].Why
	}
}
