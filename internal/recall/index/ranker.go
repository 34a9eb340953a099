package index

import (
	"cmp"
	"slices"
	"time"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
)

// lookedUp is how many words of a prompt score memories: the rarest.
const lookedUp = 12

// A ranker adds up what the words of a prompt count. It is kept for the next prompt, as its memory is 20 bytes a memory and 32 a session.
type ranker struct {
	cutter *fulltext.Cutter

	sums    []float64 // by slot
	touched []uint32  // slots with a sum

	sessionSums []float64 // by session
	counts      []float64 // by session, of one word
	met         []uint32  // sessions with a sum
	of          []uint32  // sessions with a count

	own  []candidate // of one session
	best []candidate // at most twice as many as there is room for
	last candidate   // if full: what does not come before it is none of the best
	full bool
}

// A candidate is a memory with what it scores by postings alone.
type candidate struct {
	slot  uint32
	hash  uint64 // of its text, when it was put into the index
	turn  int    // 0: it is one of the first perSession of its session, 1: of the next, and so on
	score float64
	found evidence.Found // without its text
}

// find returns the best memories by postings alone, and how many memories there are.
func (r *ranker) find(x *Index, ask *evidence.Question, q *Query, c *evidence.Constants) ([]candidate, int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	r.reset(len(x.docs), len(x.sessions))
	most, sessionMost, memories := 0., 0., len(x.slots)
	if q.Of != nil {
		memories = q.Of.Memories
	}
	x.words.Read(func(words fulltext.Reader) {
		s := scale{c: c, docs: words.Docs(), sessions: len(x.sessions) - len(x.vacant)}
		if s.docs == 0 {
			return
		}
		s.length = float64(words.Words()) / float64(s.docs)
		s.size, s.group = float64(x.size)/float64(s.docs), float64(x.groups.size)/float64(max(x.groups.sessions, 1))
		if q.Of != nil {
			s.docs = memories
		}
		for _, t := range terms(words, ask, q.Of) {
			most += evidence.IDF(s.docs, t.Docs)
			sessionMost += r.add(x, t, s)
		}
	})
	if most == 0 {
		return nil, memories
	}
	return r.choose(x, q, c, most, sessionMost), memories
}

// A scale is what lengths and counts are measured by. A memory that is alone in its session is measured by other memories: among ten
// thousand of them a session of twenty would be long.
type scale struct {
	c              *evidence.Constants
	docs, sessions int
	length         float64 // of a memory, in words, on average
	size           float64 // of a memory, in bytes, on average
	group          float64 // of a session of several memories, in bytes, on average
}

// terms looks up the words of a prompt, and returns the rarest that there are in a collection; nil: in the index.
func terms(words fulltext.Reader, ask *evidence.Question, of *Collection) []fulltext.Term {
	var found []fulltext.Term
	for i := range ask.Words {
		t := words.Term(ask.Words[i].Text)
		if of != nil {
			t.Docs = of.Docs[ask.Words[i].Text]
		}
		ask.Words[i].Docs = t.Docs
		if t.Docs > 0 {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b fulltext.Term) int { return cmp.Compare(a.Docs, b.Docs) })
	return found[:min(len(found), lookedUp)]
}

// add adds what a word counts in its memories and sessions, and returns the most that it counts in a session.
func (r *ranker) add(x *Index, t fulltext.Term, s scale) float64 {
	idf := evidence.IDF(s.docs, t.Docs)
	t.Each(func(slot uint32, count, length int) {
		if int(slot) >= len(x.sessionOf) || x.sessionOf[slot] == noSession {
			return
		}
		if r.sums[slot] == 0 {
			r.touched = append(r.touched, slot)
		}
		r.sums[slot] += idf * evidence.Saturate(float64(count), float64(length)/s.length, s.c.K1, s.c.B)
		session := x.sessionOf[slot]
		if r.counts[session] == 0 {
			r.of = append(r.of, session)
		}
		r.counts[session] += float64(count)
	})
	idf = evidence.IDF(s.sessions, len(r.of))
	for _, session := range r.of {
		if r.sessionSums[session] == 0 {
			r.met = append(r.met, session)
		}
		length := float64(x.sessions[session].size) / s.group
		if len(x.sessions[session].docs) == 1 {
			length = float64(x.sessions[session].size) / s.size
		}
		r.sessionSums[session] += idf * evidence.Saturate(r.counts[session], length, s.c.SessionK1, s.c.SessionB)
		r.counts[session] = 0
	}
	r.of = r.of[:0]
	return idf
}

// perSession is how many memories of one session are read before those of others are.
const perSession = 6

// choose returns the best memories of the sessions that have a word.
func (r *ranker) choose(x *Index, q *Query, c *evidence.Constants, most, sessionMost float64) []candidate {
	room := q.depth()
	r.best, r.full = r.best[:0], false
	for _, number := range r.met {
		docs := x.sessions[number].docs
		first, second := r.twoBest(docs)
		shared := evidence.Found{Best: (first + second) / (2 * most), Session: r.sessionSums[number] / sessionMost, Alone: len(docs) == 1 || q.Of != nil}
		if r.full && r.last.turn == 0 && bound(x, c, shared, first/most) < r.last.score {
			continue
		}
		r.inSession(x, c, docs, shared, most)
		for i, one := range r.own {
			one.turn = i / perSession
			r.offer(x, q, one, room)
		}
	}
	slices.SortFunc(r.best, before)
	best := r.best[:min(len(r.best), room)]
	for i := range best {
		best[i].hash = x.docs[best[i].slot].hash
	}
	return best
}

// bound returns what no memory of a session scores more than, if the best of its memories alone scores so much. Most sessions have a word of
// a prompt and no memory among the best; this spares walking through them.
func bound(x *Index, c *evidence.Constants, shared evidence.Found, first float64) float64 {
	const rounding = 1 + 1e-9
	inherited := rounding * first * (1 + 2*c.Next + 2*c.Second)
	return evidence.Factor(float64(x.surest), false) * (c.Neighbours*inherited + c.Best*shared.Best + c.Session*shared.Session)
}

// inSession makes own the memories of a session that have a word or stand beside one that does, the best first. It makes it empty if none
// can be one of the best.
func (r *ranker) inSession(x *Index, c *evidence.Constants, docs []uint32, shared evidence.Found, most float64) {
	r.own = r.own[:0]
	for i, slot := range docs {
		sum := r.sums[slot] + c.Next*r.around(docs, i, 1) + c.Second*r.around(docs, i, 2)
		if sum == 0 {
			continue
		}
		d := &x.docs[slot]
		factor := evidence.Factor(float64(d.confidence), d.superseded)
		score := factor * (c.Neighbours*(sum/most) + c.Best*shared.Best + c.Session*shared.Session)
		if r.full && r.last.turn == 0 && score < r.last.score {
			continue
		}
		f := shared
		f.N, f.Neighbours, f.Factor = d.n, sum/most, factor
		r.own = append(r.own, candidate{slot: slot, score: score, found: f})
	}
	if len(r.own) > perSession { // else all have the same turn
		slices.SortFunc(r.own, before)
	}
}

// twoBest returns the two highest sums; the highest twice if there is one memory only.
func (r *ranker) twoBest(docs []uint32) (first, second float64) {
	for _, slot := range docs {
		switch sum := r.sums[slot]; {
		case sum > first:
			first, second = sum, first
		case sum > second:
			second = sum
		}
	}
	if len(docs) == 1 {
		second = first
	}
	return first, second
}

// around returns the sums of the memories that are so far away.
func (r *ranker) around(docs []uint32, i, distance int) float64 {
	sum := 0.
	if i >= distance {
		sum += r.sums[docs[i-distance]]
	}
	if i+distance < len(docs) {
		sum += r.sums[docs[i+distance]]
	}
	return sum
}

// offer adds a memory to the best if it is one of them. Most are none, so it asks the query last.
func (r *ranker) offer(x *Index, q *Query, one candidate, room int) {
	if r.full && before(one, r.last) > 0 {
		return
	}
	if q.Keep != nil || q.Discount != nil {
		doc := x.doc(one.slot)
		if q.Keep != nil && !q.Keep(doc) {
			return
		}
		if q.Discount != nil {
			discount := q.Discount(doc)
			one.found.Factor, one.score = one.found.Factor*discount, one.score*discount
		}
	}
	if at := x.docs[one.slot].at; at != noTime {
		one.found.At = time.UnixMilli(at)
	}
	r.best = append(r.best, one)
	if len(r.best) >= 2*room {
		slices.SortFunc(r.best, before)
		r.best = r.best[:room]
		r.last, r.full = r.best[room-1], true
	}
}

// before orders candidates by turn, then by score, then by number, the higher first.
func before(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(b.score, a.score), cmp.Compare(b.found.N, a.found.N))
}

// reset clears the sums, for so many memories and sessions.
func (r *ranker) reset(docs, sessions int) {
	for _, slot := range r.touched {
		r.sums[slot] = 0
	}
	for _, session := range r.met {
		r.sessionSums[session] = 0
	}
	r.touched, r.met = r.touched[:0], r.met[:0]
	if len(r.sums) < docs {
		r.sums = make([]float64, docs+docs/4)
	}
	if len(r.sessionSums) < sessions {
		r.sessionSums, r.counts = make([]float64, sessions+sessions/4), make([]float64, sessions+sessions/4)
	}
}
