package conversation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
)

// Bounds of a Query.
const (
	defaultHits  = 10
	mostHits     = 200
	mostSkipped  = 10_000
	firstHits    = 10 // within which a session has at most perSession
	perSession   = 5
	spare        = 100 // hits that are ranked beyond those that are asked for, so that other sessions are found
	minPrefix    = 8   // characters of an id in a query's text
	mostPrefixed = 64  // words of a query that may be ids
)

func (q *Query) bound() {
	q.Limit = min(max(cmp.Or(q.Limit, defaultHits), 1), mostHits)
	q.Skip = min(max(q.Skip, 0), mostSkipped)
	q.MaxSnippet = min(max(cmp.Or(q.MaxSnippet, defaultSnippet), 1), mostSnippet)
}

// Search finds turns by their words, the best first; equal ones the newest first, and those that were abandoned last. It waits at most
// 50 ms for what was said in the last moments, and 2 s for the index. Errors: *SessionError for Query.Session.
func (a *Archive) Search(ctx context.Context, q Query) (Found, error) {
	q.bound()
	late := a.refresh(ctx)
	s, err := a.open(ctx)
	if err != nil || s == nil {
		return Found{State: a.without(err)}, err
	}
	covered, err := a.transcripts(ctx, s)
	if err != nil {
		return Found{}, err
	}
	x, share, err := a.ready(ctx, s)
	if err != nil {
		return Found{}, err
	}
	if q.Session != "" {
		one, err := a.session(ctx, s, q.Session)
		if err != nil {
			return Found{}, err
		}
		q.Session = one.SID
	}
	found, places := x.search(&q, a.textsOf(ctx, s))
	if found.Hits, err = a.describe(ctx, s, &q, places); err != nil {
		return Found{}, err
	}
	found.State = covered.of(share, late)
	if places.unchecked > 0 && found.State.State == Complete {
		found.State = Completeness{State: Partial, Why: "too many turns have the words of the phrase; the best 2,000 were looked at"}
	}
	return found.Found, nil
}

// A ranking is what a search of the index has found.
type ranking struct {
	hits      []placed // of the page
	terms     []string // for snippets
	unchecked int      // turns in which a phrase was not looked for
}

// A placed is a hit with what the index knows of it.
type placed struct {
	id      uint32
	score   float64
	doc     doc
	session *session // its copy of the store's row does not change
	more    int
}

// found is a Found without the text of its hits.
type found struct{ Found }

// search ranks the turns that pass the filters. texts returns the fields of a turn.
func (x *index) search(q *Query, texts func(id uint32) []string) (found, ranking) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	f := x.filter(q)
	if strings.TrimSpace(f.text) == "" {
		return x.list(q, f)
	}
	among, keep := f.in()
	r := x.words.Search(fulltext.Query{
		Text: f.text, Limit: q.Skip + q.Limit + spare, Only: f.fields,
		Among: among, Keep: keep, Above: x.newer, Demote: x.abandoned, Fields: texts,
	})
	var all []placed
	for _, h := range r.Hits {
		if d, s, ok := x.doc(h.ID); ok {
			all = append(all, placed{h.ID, h.Score, *d, s, 0})
		}
	}
	return found{Found{Matches: r.Matches, Unknown: r.Unknown, Ignored: r.Ignored}}, ranking{page(all, q, f.session != 0), r.Terms, r.Unchecked}
}

// list returns the turns that pass the filters, the newest first: those of a session that a query names and nothing else.
func (x *index) list(q *Query, f *filter) (found, ranking) {
	if f.session == 0 {
		return found{}, ranking{}
	}
	var all []placed
	for id := range x.docs {
		if d, s, ok := x.doc(uint32(id)); ok && f.keep(uint32(id)) {
			all = append(all, placed{uint32(id), 0, *d, s, 0})
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return int(b.doc.number - a.doc.number) })
	return found{Found{Matches: len(all)}}, ranking{hits: page(all, q, true)}
}

// newer reports which of two equal hits comes first.
func (x *index) newer(a, b uint32) bool {
	da, _, okA := x.doc(a)
	db, _, okB := x.doc(b)
	if !okA || !okB || da.at == db.at {
		return a > b
	}
	return da.at > db.at
}

func (x *index) abandoned(id uint32) bool {
	d, _, ok := x.doc(id)
	return ok && d.flags&docAbandoned != 0
}

// page returns the hits that are asked for. What it leaves out of a session for the sake of others is counted at the last hit that it has of
// that session.
func page(all []placed, q *Query, one bool) []placed {
	first, rest := all, []placed(nil)
	if !one {
		first, rest = spread(all)
	}
	order := slices.Concat(first, rest)
	from := min(q.Skip, len(order))
	to := min(from+q.Limit, len(order))
	if from < len(first) && q.Limit <= firstHits {
		to = min(to, len(first)) // a page of the first ten stays one, however few they are
	}
	shown := order[from:to]
	left := map[int64]int{}
	for _, p := range rest[max(0, min(to-len(first), len(rest))):] {
		left[p.doc.session]++
	}
	for i := len(shown) - 1; i >= 0; i-- {
		session := shown[i].doc.session
		shown[i].more = left[session]
		delete(left, session)
	}
	return shown
}

// spread parts hits into the first ten, of which at most five are of one session, and the others.
func spread(all []placed) (first, rest []placed) {
	of := map[int64]int{}
	for _, p := range all {
		if len(first) < firstHits && of[p.doc.session] < perSession {
			of[p.doc.session]++
			first = append(first, p)
		} else {
			rest = append(rest, p)
		}
	}
	return first, rest
}
