package fulltext

import (
	"maps"

	"slices"
)

// Limits of the mutable part. 4,096 documents of 120 words take about 8 MB.
const (
	maxRecent      = 4096    // documents
	maxRecentWords = 1 << 20 // occurrences of a term in a field of a document, at 12 bytes each
)

// recent is the part of an index to which documents are added. Documents stand in the order of their adding.
type recent struct {
	documents
	place       map[uint32]int    // of a living id
	terms       map[string]uint32 // of a term, in last
	last        []uint32          // of a term: its last occurrence, in occurrences
	occurrences []occurrence
}

// An occurrence of a term in a field of a document, in a list from the newest to the oldest.
type occurrence struct {
	before uint32 // the one before it, none for the first
	doc    uint16
	count  uint16
	field  uint8
}

const none = 1<<32 - 1

func newRecent(fields int) *recent {
	return &recent{documents: documents{fields: fields}, place: map[uint32]int{}, terms: map[string]uint32{}}
}

func (r *recent) full() bool {
	return len(r.ids) >= maxRecent || len(r.occurrences) >= maxRecentWords
}

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
	doc := len(r.ids)
	r.place[d.id] = doc
	r.ids = append(r.ids, d.id)
	r.lengths = append(r.lengths, d.sizes...)
	start := 0
	for _, w := range d.words {
		r.occur(d.terms[start:w.end], doc, w.field)
		start = w.end
	}
}

func (r *recent) occur(term []byte, doc int, field uint8) {
	t, ok := r.terms[string(term)]
	if !ok {
		t = uint32(len(r.last))
		r.terms[string(term)] = t
		r.last = append(r.last, none)
	}
	for at := r.last[t]; at != none; at = r.occurrences[at].before {
		o := &r.occurrences[at]
		if int(o.doc) != doc {
			break
		}
		if o.field == field {
			o.count = min(o.count, maxCount-1) + 1
			return
		}
	}
	r.occurrences = append(r.occurrences, occurrence{before: r.last[t], doc: uint16(doc), count: 1, field: field})
	r.last[t] = uint32(len(r.occurrences) - 1)
}

// postings returns the postings of a term and the number of documents in them.
func (r *recent) postings(term string) ([]byte, int) {
	t, ok := r.terms[term]
	if !ok {
		return nil, 0
	}
	return r.encode(t, nil, nil)
}

// encode appends the postings of a term to dst, and returns how many documents they have. With places, documents have the number
// that stands there, and those with −1 are left out; places ascend with the number that the document has here, or are sorted.
func (r *recent) encode(t uint32, dst []byte, places []int) ([]byte, int) {
	var found []posting
	for at := r.last[t]; at != none; {
		p := posting{doc: int(r.occurrences[at].doc)}
		for at != none && int(r.occurrences[at].doc) == p.doc {
			o := r.occurrences[at]
			p.mask |= 1 << o.field
			p.counts[o.field] = uint32(o.count)
			at = o.before
		}
		if places != nil {
			p.doc = places[p.doc]
		}
		if p.doc >= 0 {
			found = append(found, p)
		}
	}
	slices.Reverse(found)
	return appendPostings(dst, found), len(found)
}

// freeze returns a segment of its living documents, nil if it has none. It changes nothing.
func (r *recent) freeze() *segment {
	order := r.order()
	if len(order) == 0 {
		return nil
	}
	places := placesOf(order, len(r.ids))
	b := newBuilder(r.fields)
	b.documents(&r.documents, order)
	var data []byte
	for _, term := range slices.Sorted(maps.Keys(r.terms)) {
		var n int
		data, n = r.encode(r.terms[term], data[:0], places)
		b.add([]byte(term), data, n)
	}
	return b.segment()
}

// placesOf returns the new place of each of n documents, −1 for those that are not in order.
func placesOf(order []int, n int) []int {
	places := slices.Repeat([]int{-1}, n)
	for place, doc := range order {
		places[doc] = place
	}
	return places
}

// bytes returns about how much memory it takes.
func (r *recent) bytes() int {
	const perTerm = 64 // its text, its place in the map and its slot in last
	return len(r.terms)*perTerm + cap(r.occurrences)*12 + len(r.ids)*(8+4+2*r.fields)
}
