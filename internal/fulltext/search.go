package fulltext

import "slices"

// A Result is what a search has found.
type Result struct {
	Hits    []Hit
	Matches int      // all documents that match, hits or not
	Unknown []string // words that no document has, as the query spells them
	Ignored []string // words that count for nothing: stop words, single letters, what is beyond the limits of a query
	Terms   []string // the terms that count, those of the fewest documents first; for Snippet

	// Unchecked is how many documents may contain the phrases, but their texts were not looked at: beyond 2,000. They are no matches.
	Unchecked int
}

// A Hit is a document that matches.
type Hit struct {
	ID    uint32
	Score float64
}

// Search returns the best hits. It takes time in proportion to the documents that have the words, and reads no text unless the query
// has phrases.
func (x *Index) Search(q Query) Result {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	s := &search{query: q, ask: q.ask(), best: best{query: &q}}
	also := s.also(len(x.weights.Weight))
	x.mu.RLock()
	s.rank(x, also)
	x.mu.RUnlock()
	return s.result()
}

// A search is a query at work.
type search struct {
	query   Query
	ask     *question
	lists   []list
	hidden  map[uint32]bool // documents of the index in whose place others come with the query
	best    best
	matches int
	unknown []string
}

// A shard is a part of the index: a segment, or the mutable one.
type shard interface {
	all() *documents
	postings(term string) (data []byte, docs int) // the dead included
}

// A list is the postings of the query's terms in a part of the index.
type list struct {
	docs     *documents
	postings [][]byte  // by place of the term
	also     bool      // the part is of documents that come with the query
	sorted   bool      // its documents stand in the order of their ids
	frequent *bitmaps  // nil: the part is small
	bitmaps  []*bitmap // by place of the term; nil: it is not frequent
}

// also makes a part of the documents that come with the query, nil if there are none.
func (s *search) also(fields int) *recent {
	if len(s.query.Also) == 0 {
		return nil
	}
	s.hidden = map[uint32]bool{}
	r := newRecent(fields)
	var c cutter
	var d draft
	for _, doc := range s.query.Also {
		if s.hidden[doc.ID] || r.full() {
			continue
		}
		s.hidden[doc.ID] = true
		c.draft(&d, doc.ID, doc.Fields, fields)
		r.add(&d)
	}
	return r
}

// rank looks up the terms and scores the documents that have them. The index is locked.
func (s *search) rank(x *Index, also *recent) {
	for _, segment := range x.segments {
		l := list{sorted: true}
		if len(segment.ids) >= x.from.docs {
			l.frequent = &segment.frequent
		}
		s.lookUp(segment, l)
	}
	s.lookUp(x.recent, list{})
	if also != nil {
		s.lookUp(also, list{also: true})
	}
	s.limitTerms()
	r := s.newRanking(x)
	r.scorer = x.scorers.Get().(*scorer)
	defer x.scorers.Put(r.scorer)
	for _, l := range s.lists {
		r.rank(l)
	}
}

// lookUp adds the postings that a shard has of each term to a list, and counts its documents.
func (s *search) lookUp(p shard, l list) {
	l.docs = p.all()
	for i := range s.ask.terms {
		t := &s.ask.terms[i]
		data, docs := p.postings(t.text)
		var m *bitmap
		if l.frequent != nil && docs*bitmapShare >= len(l.docs.ids) {
			m = l.frequent.of(t.text, data, len(l.docs.ids))
		}
		l.postings, l.bitmaps = append(l.postings, data), append(l.bitmaps, m)
		living := l.docs.countLiving(data, docs, m)
		t.known = t.known || living > 0
		if !l.also {
			t.seen += living
		}
	}
	s.lists = append(s.lists, l)
}

// limitTerms names the words that no document has, and drops the most frequent of too many terms.
func (s *search) limitTerms() {
	end := -1 // of the last word named: its parts are not named again
	for _, t := range s.ask.terms {
		if !t.known && t.end > end {
			s.unknown, end = append(s.unknown, t.surface), t.end
		}
	}
	for i, t := range s.byRarity() {
		if i >= maxTerms {
			t.dropped = true
			s.ask.ignored = append(s.ask.ignored, t.surface)
		}
	}
}

// byRarity returns the terms, those of the fewest documents first.
func (s *search) byRarity() []*queryTerm {
	terms := make([]*queryTerm, len(s.ask.terms))
	for i := range s.ask.terms {
		terms[i] = &s.ask.terms[i]
	}
	slices.SortStableFunc(terms, func(a, b *queryTerm) int { return a.seen - b.seen })
	return terms
}

// result returns what was found. The index is no longer locked.
func (s *search) result() Result {
	r := Result{Hits: s.best.sorted(), Matches: s.matches, Unknown: s.unknown, Ignored: s.ask.ignored}
	for _, t := range s.byRarity() {
		if t.known && !t.dropped {
			r.Terms = append(r.Terms, t.text)
		}
	}
	if len(s.ask.phrases) > 0 {
		s.verify(&r)
	}
	r.Hits = r.Hits[:min(len(r.Hits), s.query.Limit)]
	return r
}
