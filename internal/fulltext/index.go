package fulltext

import (
	"slices"
	"sync"
)

// maxDraft is how many bytes of terms the memory for new documents has at most between two of them.
const maxDraft = 1 << 20

const (
	// maxSmall is how many small segments are merged into one.
	maxSmall = 8
	// smallDocs is below how many documents a segment is small. It bounds what a merge takes, and how much memory it has twice:
	// that of some 32,000 documents, eight frozen parts.
	smallDocs = 16 << 10
)

// An Index is an inverted index in memory. It is safe for concurrent use: searches run beside each other and beside one change, which
// makes them wait for microseconds. Nothing runs in the background: who changes the index also freezes and merges.
type Index struct {
	weights Weights

	// writing is held for the whole of a change, before mu. Only its holder may write what mu guards, so it may read that without mu.
	writing sync.Mutex
	cutter  *cutter
	draft   draft

	mu       sync.RWMutex
	segments []*segment // the oldest first; replaced, never written into
	recent   *recent
	docs     int      // living
	lengths  []uint64 // of the fields of the living together, in words

	scorers sync.Pool // of *scorer
	from    sizes     // of what searches take short cuts; tests make them smaller
}

// sizes say from where on a short cut is worth its price.
type sizes struct {
	postings int // bytes of a term's: before it is added to all documents, it is asked which ones it can lift
	docs     int // of a part: its frequent terms have bitmaps
}

// New returns an empty index of documents with as many fields as there are weights. It panics if the weights are none.
func New(w Weights) *Index {
	w.check()
	fields := len(w.Weight)
	return &Index{
		weights: Weights{slices.Clone(w.Weight), slices.Clone(w.Length), w.K1},
		cutter:  newCutter(),
		recent:  newRecent(fields),
		lengths: make([]uint64, fields),
		scorers: sync.Pool{New: func() any { return new(scorer) }},
		from:    sizes{postings: 512, docs: smallDocs},
	}
}

// Put adds a document, or replaces the one with this id. Fields that are missing are empty; one too many is a panic.
func (x *Index) Put(id uint32, fields []string) {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.cutter.draft(&x.draft, id, fields, len(x.lengths))
	x.put(&x.draft)
	if cap(x.draft.terms) > maxDraft {
		x.draft = draft{}
	}
}

// put adds a document that was cut, or replaces the one with its id. writing is held.
func (x *Index) put(d *draft) {
	x.mu.Lock()
	old := x.remove(d.id)
	x.recent.add(d)
	x.docs++
	for f, size := range d.sizes {
		x.lengths[f] += uint64(size)
	}
	x.mu.Unlock()
	x.compact(old)
	if x.recent.full() {
		x.freeze()
	}
}

// Delete removes a document. One that is not there is none.
func (x *Index) Delete(id uint32) {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	s := x.remove(id)
	x.mu.Unlock()
	x.compact(s)
}

// Docs returns how many documents there are.
func (x *Index) Docs() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.docs
}

// Bytes returns about how much memory the index takes.
func (x *Index) Bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	sum := x.recent.bytes()
	for _, s := range x.segments {
		sum += s.bytes()
	}
	return sum
}

// draft cuts a document into terms.
func (c *cutter) draft(d *draft, id uint32, fields []string, n int) {
	if len(fields) > n {
		panic("fulltext: a document has more fields than the index has weights")
	}
	d.id, d.terms, d.words = id, d.terms[:0], d.words[:0]
	d.sizes = slices.Grow(d.sizes[:0], n)[:n]
	clear(d.sizes)
	for f, text := range fields {
		size, any := 0, 0
		c.cut(text, func(t token) {
			d.terms = append(d.terms, t.term...)
			d.words = append(d.words, draftWord{len(d.terms), uint8(f)})
			any = 1
			if !t.extra {
				size++
			}
		})
		d.sizes[f] = uint16(min(max(size, any), maxCount))
	}
}

// remove makes a document a dead one, and returns its segment. nil: it was in the mutable part, or nowhere. mu is held.
func (x *Index) remove(id uint32) *segment {
	if doc, ok := x.recent.place[id]; ok {
		delete(x.recent.place, id)
		x.bury(&x.recent.documents, doc)
		return nil
	}
	for _, s := range x.segments {
		if doc, ok := slices.BinarySearch(s.ids, id); ok && !s.isDead(int32(doc)) {
			x.bury(&s.documents, int32(doc))
			return s
		}
	}
	return nil
}

func (x *Index) bury(d *documents, doc int32) {
	d.kill(doc)
	x.docs--
	for f, size := range d.lengthsOf(doc) {
		x.lengths[f] -= uint64(size)
	}
}

// freeze makes a segment of the mutable part, and merges the small ones if there are many. writing is held.
func (x *Index) freeze() {
	s := x.recent.freeze()
	segments := slices.Clone(x.segments)
	if s != nil {
		segments = append(segments, s)
	}
	x.mu.Lock()
	x.segments, x.recent = segments, newRecent(len(x.lengths))
	x.mu.Unlock()
	var small []*segment
	for _, s := range segments {
		if s.living() < smallDocs {
			small = append(small, s)
		}
	}
	if len(small) >= maxSmall {
		x.replace(small)
	}
}

// replace replaces segments by one of their living documents. writing is held; searches go on meanwhile.
func (x *Index) replace(old []*segment) {
	merged := merge(len(x.lengths), old)
	segments := slices.DeleteFunc(slices.Clone(x.segments), func(s *segment) bool { return slices.Contains(old, s) })
	if merged != nil {
		segments = append(segments, merged)
	}
	x.mu.Lock()
	x.segments = segments
	x.mu.Unlock()
}

// compact builds a segment anew when a fifth of its documents are dead. nil is none. writing is held.
func (x *Index) compact(s *segment) {
	if s != nil && s.deaths*5 > len(s.ids) {
		x.replace([]*segment{s})
	}
}
