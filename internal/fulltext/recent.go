package fulltext

import (
	"maps"
	"slices"
)

// Limits of the mutable part. 4,096 documents of 120 words take about 6 MB.
const (
	maxRecent      = 4096    // documents
	maxRecentBytes = 8 << 20 // of postings and terms
)

// recent is the part of an index to which documents are added. They stand in the order of their adding.
type recent struct {
	documents
	place map[uint32]int32  // of a living id
	index map[string]uint32 // of a term, in terms
	terms []recentTerm
	added []addedTerm // of the document that is being added
	size  int         // bytes of postings and terms
}

// A recentTerm is a term and its postings.
type recentTerm struct {
	data []byte
	docs int32 // in data
	last int32 // document in data; −1: none
	doc  int32 // the document with it that was added last, or is being added; −1: none
	slot int32 // of doc, in added
}

// An addedTerm is a term of the document that is being added.
type addedTerm struct {
	term uint32
	posting
}

func newRecent(fields int) *recent {
	return &recent{documents: documents{fields: fields}, place: map[uint32]int32{}, index: map[string]uint32{}}
}

func (r *recent) full() bool { return len(r.ids) >= maxRecent || r.size >= maxRecentBytes }

// A draft is a document that was cut into terms.
type draft struct {
	id    uint32
	terms []byte // one behind the other
	words []draftWord
	sizes []uint16 // of the fields, in words
}

type draftWord struct {
	end   int // of the term, in terms
	field uint8
}

// add adds a document that is not there yet.
func (r *recent) add(d *draft) {
	doc := int32(len(r.ids))
	r.place[d.id] = doc
	r.ids = append(r.ids, d.id)
	r.lengths = append(r.lengths, d.sizes...)
	r.added = r.added[:0]
	start := 0
	for _, w := range d.words {
		r.count(d.terms[start:w.end], doc, w.field)
		start = w.end
	}
	for i := range r.added {
		a := &r.added[i]
		t := &r.terms[a.term]
		size := len(t.data)
		t.data = appendPosting(t.data, t.last, &a.posting)
		t.last, t.docs = doc, t.docs+1
		r.size += len(t.data) - size
	}
}

// count counts an occurrence of a term in the document that is being added.
func (r *recent) count(term []byte, doc int32, field uint8) {
	i, ok := r.index[string(term)]
	if !ok {
		i = uint32(len(r.terms))
		r.index[string(term)] = i
		r.terms = append(r.terms, recentTerm{last: -1, doc: -1})
		r.size += len(term)
	}
	t := &r.terms[i]
	if t.doc != doc {
		t.doc, t.slot = doc, int32(len(r.added))
		r.added = append(r.added, addedTerm{i, posting{doc: doc}})
	}
	p := &r.added[t.slot].posting
	p.mask |= 1 << field
	p.counts[field] = min(p.counts[field], maxCount-1) + 1
}

// postings returns the postings of a term and the number of documents in them, dead ones included.
func (r *recent) postings(term string) ([]byte, int) {
	i, ok := r.index[term]
	if !ok {
		return nil, 0
	}
	return r.terms[i].data, int(r.terms[i].docs)
}

// freeze returns a segment of its living documents, nil if it has none. It changes nothing.
func (r *recent) freeze() *segment {
	order := r.order()
	if len(order) == 0 {
		return nil
	}
	places := slices.Repeat([]int32{-1}, len(r.ids))
	for place, doc := range order {
		places[doc] = int32(place)
	}
	b := newBuilder(r.fields)
	for _, doc := range order {
		b.document(&r.documents, doc)
	}
	asItStands := len(order) == len(r.ids) && slices.IsSorted(order)
	var found []posting
	var data []byte
	for _, term := range slices.Sorted(maps.Keys(r.index)) {
		t := &r.terms[r.index[term]]
		if asItStands {
			b.add([]byte(term), t.data, int(t.docs))
			continue
		}
		found = appendLiving(found[:0], t.data, places)
		data = appendPostings(data[:0], found)
		b.add([]byte(term), data, len(found))
	}
	return b.segment()
}

// bytes returns about how much memory it takes.
func (r *recent) bytes() int {
	const perTerm, perDoc = 100, 24 // with their places in maps, and room to grow
	return 2*r.size + perTerm*len(r.terms) + (perDoc+2*r.fields)*len(r.ids)
}
