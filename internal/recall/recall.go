package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

const (
	defaultLimit = 5
	maxLimit     = 50
	maxQuery     = 16 << 10 // bytes of a query or a prompt that are read
	foreignCount = 0.8      // what a memory of another project counts
)

// A Query says what to look for.
type Query struct {
	Text    string         // at most 16 KB of it count
	Limit   int            // hits; 0: 5, at most 50
	Project string         // key, name or path of the only project that is searched; "": Scope decides
	Scope   string         // ScopeAll, ScopeProject, ScopeUser, ScopeTeam; "": as the options say, which nothing here widens
	Kinds   []memory.Kind  // nil: all
	Outcome memory.Outcome // memory.Unknown: all
	Since   time.Time      // only what was made then or later; zero: all
	Session string         // only what was learned in it; "": all
}

// A Hit is a memory that was found.
type Hit struct {
	memory.Memory
	Score   float64 // the higher the better, about 0 to 4
	Foreign bool    // it is of another project, and not for the user
	Stale   string  // why it may be out of date, as in "web/db.go is gone"; "": nothing says so. Only what a prompt is told is checked
}

// Found is an answer, the best memory first.
type Found struct {
	Memories []Hit
	Complete bool   // all memories were searched
	Why      string // why not; "": it is complete
}

// Recall finds memories. It waits up to two seconds for an index that is not complete, then answers from what there is. Errors: *IndexError,
// *ProjectError, *NoTeamError, and those of the
// database. A team's database that does not answer makes the answer incomplete.
func (s *Store) Recall(ctx context.Context, q Query) (Found, error) {
	if s.live == nil {
		return Found{}, &IndexError{"they were opened without an index"}
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	limit = min(limit, maxLimit)
	if q.Scope == ScopeTeam {
		return s.recallTeam(ctx, &q, limit)
	}
	keep, note, err := s.filter(ctx, &q)
	if err != nil {
		return Found{}, err
	}
	x, why, err := s.live.ask(ctx, loadWait)
	if err != nil {
		return Found{}, err
	}
	seen := reading{ctx: ctx, db: s.db}
	ranking, err := x.Rank(index.Query{Text: wording.ClipBytes(q.Text, maxQuery), Limit: limit, Cosine: s.cosines(ctx, q.Text), Keep: keep, Discount: s.discount, Read: seen.texts})
	if err != nil {
		return Found{}, err
	}
	if err := seen.load(numbersOf(ranking.Candidates)); err != nil {
		return Found{}, err
	}
	found := Found{Complete: why == "" && note == "", Why: join(why, note)}
	for _, c := range ranking.Candidates {
		if r := seen.of(c.N); r != nil {
			found.Memories = append(found.Memories, s.hit(r, c.Score))
		}
	}
	if q.asksTeam() {
		s.recallShared(ctx, &q, limit, &found)
	}
	return found, nil
}

func numbersOf(candidates []evidence.Candidate) []uint32 {
	numbers := make([]uint32, len(candidates))
	for i := range candidates {
		numbers[i] = candidates[i].N
	}
	return numbers
}

// join joins the reasons that there are.
func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}

func (s *Store) hit(r *store.Record, score float64) Hit {
	return Hit{Memory: r.Memory, Score: score, Foreign: s.isForeign(&r.Memory)}
}

func (s *Store) isForeign(m *memory.Memory) bool {
	return m.Scope != memory.ForUser && m.Project.Key != s.options.Project.Key
}

func (s *Store) discount(d index.Doc) float64 {
	if d.Project == "" || d.Project == s.options.Project.Key {
		return 1
	}
	return foreignCount
}

// A reading reads the memories of a ranking. It is used by one goroutine.
type reading struct {
	ctx     context.Context
	db      *store.DB
	records map[uint32]*store.Record
}

// texts returns what a ranking needs of memories.
func (r *reading) texts(numbers []uint32) ([]memory.Memory, error) { return r.db.Texts(r.ctx, numbers) }

// load reads memories for those who ask afterwards.
func (r *reading) load(numbers []uint32) error {
	records, err := r.db.Records(r.ctx, numbers)
	if err != nil {
		return err
	}
	r.records = make(map[uint32]*store.Record, len(records))
	for i := range records {
		r.records[records[i].N] = &records[i]
	}
	return nil
}

// of returns a memory that was loaded; nil: it is gone, or was not asked for.
func (r *reading) of(n uint32) *store.Record { return r.records[n] }

// A ProjectError means that no project has a name.
type ProjectError struct {
	Name  string // clipped to one line
	Known []string
}

func (e *ProjectError) Error() string {
	return fmt.Sprintf("nothing is remembered of a project %q", e.Name)
}

// Hint names projects.
func (e *ProjectError) Hint() string {
	if len(e.Known) == 0 {
		return "leave the project out"
	}
	return "use one of " + strings.Join(e.Known, ", ")
}

// filter returns which memories a query searches. note says what it leaves out although it was asked for.
func (s *Store) filter(ctx context.Context, q *Query) (keep func(index.Doc) bool, note string, err error) {
	within, note, err := s.within(ctx, q)
	if err != nil {
		return nil, "", err
	}
	var outcome map[uint32]bool
	if q.Outcome != memory.Unknown {
		if outcome, err = s.db.WithOutcome(ctx, q.Outcome); err != nil {
			return nil, "", err
		}
	}
	return func(d index.Doc) bool {
		return within(d.Project) && (outcome == nil || outcome[d.N]) && (q.Session == "" || d.Session == q.Session) &&
			(len(q.Kinds) == 0 || slices.Contains(q.Kinds, d.Kind)) && (q.Since.IsZero() || !d.At.Before(q.Since))
	}, note, nil
}

// within returns whose memories a query searches, by the key of their project; "" is for the user.
func (s *Store) within(ctx context.Context, q *Query) (of func(project string) bool, note string, err error) {
	own := s.options.Project.Key
	apart := s.options.Scope == ScopeProject
	if q.Project != "" {
		keys, err := s.keysOf(ctx, q.Project)
		if apart && err == nil && !slices.Contains(keys, own) {
			note = "the setting recall.scope keeps other projects out"
		}
		return func(p string) bool { return slices.Contains(keys, p) && (!apart || p == own) }, note, err
	}
	switch scope := q.Scope; {
	case scope == ScopeUser:
		return func(p string) bool { return p == "" }, "", nil
	case scope == ScopeProject || apart && scope == "":
		return func(p string) bool { return p == "" || p == own }, "", nil
	case scope != ScopeAll && scope != "":
		return nil, "", &DraftError{"scope", "there is no such scope"}
	case apart:
		return func(p string) bool { return p == "" || p == own }, "the setting recall.scope keeps other projects out", nil
	}
	return func(string) bool { return true }, "", nil
}

// keysOf returns the keys of the projects with a key, name or path.
func (s *Store) keysOf(ctx context.Context, name string) ([]string, error) {
	places, err := s.db.Projects(ctx)
	if err != nil {
		return nil, err
	}
	var keys, known []string
	for _, p := range places {
		if name == p.Key || name == p.Name || name == p.Path {
			keys = append(keys, p.Key)
		}
		if !slices.Contains(known, p.Name) && len(known) < 8 {
			known = append(known, p.Name)
		}
	}
	if len(keys) == 0 {
		return nil, &ProjectError{wording.Line(name, 80), known}
	}
	return keys, nil
}
