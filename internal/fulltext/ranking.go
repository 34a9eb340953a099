package fulltext

import "math/bits"

// A ranking ranks the documents of one list after the other.
//
// Terms are added in the order of their rarity, which is the same in all lists, so that equal documents have equal sums to the last bit
// wherever they are kept. A frequent word counts little: once the rarer terms have given enough documents more than all of the
// remaining terms can add to another one, only the documents that can still be among the best are added to. This is MaxScore (Turtle and Flood, "Query
// evaluation: strategies and optimizations", 1995), term by term. The other documents are counted and nothing else, by their bits.
type ranking struct {
	*search
	scorer *scorer
	norms  *norms
	terms  []rankedTerm
	from   sizes
}

// A rankedTerm is a term that counts.
type rankedTerm struct {
	*queryTerm
	idf  float64
	rest float64 // the most that this term and those behind it can add to a document
}

func (s *search) newRanking(x *Index) *ranking {
	r := &ranking{search: s, norms: newNorms(x.weights.only(s.query.Only), x.docs, x.lengths), from: x.from}
	for _, t := range s.byRarity() {
		if t.known && !t.dropped {
			r.terms = append(r.terms, rankedTerm{queryTerm: t, idf: idf(x.docs, t.seen)})
		}
	}
	const rounding = 1 + 1e-9
	rest := 0.0
	for i := range r.terms {
		t := &r.terms[len(r.terms)-1-i]
		rest += t.idf
		t.rest = rest * rounding
	}
	return r
}

// rank offers the best documents of a list, and counts those that match.
func (r *ranking) rank(l list) {
	r.scorer.reset(len(l.docs.ids))
	if len(r.ask.phrases) > 0 || r.query.Only != nil {
		r.rankAll(l)
		return
	}
	bar, narrow := 0.0, false
	for i := range r.terms {
		t := &r.terms[i]
		if !narrow {
			bar = r.bar(l, t)
			narrow = bar > t.rest
		}
		if narrow {
			r.scorer.narrow(bar - t.rest)
		}
		switch {
		case !narrow:
			r.scorer.add(l, t.queryTerm, t.idf, r.norms)
		case l.bitmaps[t.place] != nil:
			r.scorer.addFrequent(l, t.queryTerm, t.idf, r.norms)
		default:
			r.scorer.addWithin(l, t.queryTerm, t.idf, r.norms)
		}
	}
	r.matches += r.count(l)
	for _, doc := range r.scorer.found {
		if hit := (Hit{l.docs.ids[doc], r.scorer.sums[doc]}); r.best.wants(hit) && r.isSearched(l, doc) {
			r.best.offer(hit, false)
		}
	}
}

// bar returns a sum that as many documents have as hits are asked for, 0 if it cannot be above what a term and those behind it add.
func (r *ranking) bar(l list, t *rankedTerm) float64 {
	bar := r.best.bar()
	possible := r.terms[0].rest > 2*t.rest && len(r.scorer.found) >= r.query.Limit
	if bar > t.rest || !possible || len(l.postings[t.place]) < r.from.postings {
		return bar
	}
	top := top{most: r.query.Limit}
	for _, doc := range r.scorer.found {
		if sum := r.scorer.sums[doc]; top.wants(sum) && r.isSearched(l, doc) {
			top.add(sum)
		}
	}
	return max(bar, top.least())
}

// rankAll offers each document that matches.
func (r *ranking) rankAll(l list) {
	for _, t := range r.terms {
		r.scorer.add(l, t.queryTerm, t.idf, r.norms)
	}
	all := len(r.ask.phrases) > 0 && r.scorer.required == 0 // the phrases have no terms to choose documents by
	for _, doc := range r.scorer.matching(l.docs, all) {
		if !r.isSearched(l, doc) || !all && r.query.Only != nil && r.scorer.sums[doc] == 0 {
			continue
		}
		r.matches++
		r.best.offer(Hit{l.docs.ids[doc], r.scorer.sums[doc]}, len(r.ask.phrases) > 0)
	}
}

// isSearched reports whether a document may be found: it lives, none comes in its place, and the query does not leave it out.
func (r *ranking) isSearched(l list, doc int32) bool {
	if l.docs.isDead(doc) {
		return false
	}
	id := l.docs.ids[doc]
	return (l.also || !r.hidden[id]) && (r.query.Among == nil || r.query.Among.Has(id)) && (r.query.Keep == nil || r.query.Keep(id))
}

// count returns how many of the documents with a term may be found.
func (r *ranking) count(l list) (n int) {
	each := r.query.Keep != nil || !l.also && len(r.hidden) > 0
	for word, found := range r.scorer.seen {
		if found &^= l.docs.deadOf(word); found == 0 {
			continue
		}
		if r.query.Among != nil {
			found &= l.docs.in(r.query.Among, word, l.sorted)
		}
		if !each {
			n += bits.OnesCount64(found)
			continue
		}
		for ; found != 0; found &= found - 1 {
			if r.isSearched(l, int32(64*word+bits.TrailingZeros64(found))) {
				n++
			}
		}
	}
	return n
}
