package team

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/index"
	"tidepool/internal/recall/memory"
)

const (
	mostMatches   = 1000   // memories among which the server chooses the candidates
	mostChoosing  = 12     // words that choose them
	mostEstimated = 10_000 // above that, how many memories there are is what the server believes
	candidates    = 60     // memories that are sent and ranked
	maxLimit      = 50
)

// A Query says what to look for.
type Query struct {
	Text    string
	Limit   int            // hits; 0: 5, at most 50
	Project string         // the name of the only project whose memories are searched; "": of all
	Kinds   []memory.Kind  // nil: all
	Outcome memory.Outcome // memory.Unknown: all
	Since   time.Time      // only what was saved then or later; zero: all
	Session string         // only what was saved in it; "": all
	Current bool           // without memories whose place another one has taken
}

// A Hit is a memory that was found, with what speaks for it.
type Hit struct {
	memory.Memory
	evidence.Candidate // its N is 0
}

// Found is an answer, the best memory first.
type Found struct {
	Memories []Hit
	Thin     bool   // the question has too few words to tell anything at a prompt
	Complete bool   // all memories of the team were searched
	Why      string // why not; "": they were
}

// Recall finds memories. Errors are those of a request.
func (t *Team) Recall(ctx context.Context, q Query) (Found, error) {
	var terms []string
	for _, w := range evidence.Ask(fulltext.NewCutter(), q.Text, evidence.Fitted()).Words {
		terms = append(terms, w.Text)
	}
	if len(terms) == 0 {
		return Found{Complete: true, Thin: true}, nil
	}
	return request(ctx, t, func(ctx context.Context) (Found, error) {
		c, err := t.collection(ctx, terms)
		if err != nil {
			return Found{}, err
		}
		memories, err := t.candidates(ctx, &q, &c)
		if err != nil {
			return Found{}, err
		}
		found, err := rank(&q, memories, &c.Collection)
		found.Complete, found.Why = c.other == 0, c.why()
		return found, err
	})
}

// A collection is what the server has counted for a question.
type collection struct {
	index.Collection
	other int // memories whose words another version of this program has cut, at most 1000 are counted
}

func (c *collection) why() string {
	if c.other == 0 {
		return ""
	}
	return fmt.Sprintf("%d memories of the team were saved by another version of tidepool, which cuts words differently", c.other)
}

// How many memories there are is counted if there are few. The server's own number is from the last time that it looked.
const counting = `
SELECT CASE WHEN c.reltuples > $1 THEN c.reltuples::bigint ELSE (SELECT count(*) FROM tidepool.memory) END,
  (SELECT count(*) FROM (SELECT FROM tidepool.memory WHERE words_version < $2 OR words_version > $2 LIMIT 1000) AS other),
  ARRAY(SELECT (SELECT count(*) FROM tidepool.memory m WHERE m.words @@ w.query::tsquery) FROM unnest($3::text[]) WITH ORDINALITY AS w(query, place) ORDER BY w.place)
FROM pg_class c WHERE c.oid = 'tidepool.memory'::regclass`

func (t *Team) collection(ctx context.Context, terms []string) (collection, error) {
	c := collection{Collection: index.Collection{Docs: make(map[string]int, len(terms))}}
	var docs []int
	err := t.pool.QueryRow(ctx, counting, mostEstimated, fulltext.WordsVersion, lexemes(terms)).Scan(&c.Memories, &c.other, &docs)
	if err != nil {
		return c, err
	}
	for i, n := range docs {
		c.Docs[terms[i]] = n
		c.Memories = max(c.Memories, n)
	}
	return c, nil
}

// lexemes returns words as a tsquery has them.
func lexemes(words []string) []string {
	quote := strings.NewReplacer(`'`, `''`, `\`, `\\`)
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + quote.Replace(w) + "'"
	}
	return quoted
}

// rarest returns the words that choose candidates, with what each counts: the rarest, as long as so few memories have them that the server
// can look at each; one at least.
func (c *collection) rarest() (words []string, counts []float64) {
	for word, n := range c.Docs {
		if n > 0 {
			words = append(words, word)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(c.Docs[a]-c.Docs[b], strings.Compare(a, b)) })
	matches := 0
	for i, word := range words {
		if matches += c.Docs[word]; i == mostChoosing || i > 0 && matches > mostMatches {
			return words[:i], counts
		}
		counts = append(counts, evidence.IDF(c.Memories, c.Docs[word]))
	}
	return words, counts
}

// candidates returns the memories that have the rarest words of a question, those with the most of them.
func (t *Team) candidates(ctx context.Context, q *Query, c *collection) ([]memory.Memory, error) {
	words, counts := c.rarest()
	if len(words) == 0 {
		return nil, nil
	}
	terms := lexemes(words)
	conditions, args := []string{"m.words @@ $1::tsquery"}, []any{strings.Join(terms, "|"), candidates}
	score := "0"
	for i := range terms {
		score += fmt.Sprintf(" + CASE WHEN m.words @@ $%d::tsquery THEN $%d::float8 ELSE 0 END", len(args)+1, len(args)+2)
		args = append(args, terms[i], counts[i])
	}
	filter := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if q.Project != "" {
		filter("m.project = $%d", q.Project)
	}
	if len(q.Kinds) > 0 {
		filter("m.kind = ANY($%d)", q.Kinds)
	}
	if q.Outcome != memory.Unknown {
		filter("m.outcome = $%d", q.Outcome)
	}
	if !q.Since.IsZero() {
		filter("m.created_at >= $%d", q.Since)
	}
	if q.Session != "" {
		filter("m.session = $%d", q.Session)
	}
	if q.Current {
		conditions = append(conditions, "m.superseded_by IS NULL")
	}
	return t.query(ctx, "WHERE "+strings.Join(conditions, " AND ")+" ORDER BY "+score+" DESC, m.n DESC LIMIT $2", args...)
}

// rank ranks candidates as the index of this machine's memories ranks.
func rank(q *Query, memories []memory.Memory, of *index.Collection) (Found, error) {
	x := index.New()
	for i := range memories {
		memories[i].N = uint32(i + 1)
		x.Put(index.DocOf(&memories[i]))
	}
	ranking, err := x.Rank(index.Query{Text: q.Text, Limit: limit(q.Limit), Of: of, Read: func([]uint32) ([]memory.Memory, error) { return memories, nil }})
	found := Found{Thin: ranking.Thin}
	for _, c := range ranking.Candidates {
		hit := Hit{memories[c.N-1], c}
		hit.Memory.N, hit.Candidate.N = 0, 0 // numbers are of this call
		found.Memories = append(found.Memories, hit)
	}
	return found, err
}

func limit(n int) int {
	const usual = 5
	if n <= 0 {
		n = usual
	}
	return min(n, maxLimit)
}
