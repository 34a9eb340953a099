package fulltext

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
)

// A builder makes a segment of terms that come in order.
type builder struct {
	s    segment
	n    int    // terms
	last []byte // the term added last
}

func newBuilder(fields int) *builder {
	return &builder{s: segment{documents: documents{fields: fields}}}
}

func (b *builder) document(d *documents, doc int32) {
	b.s.ids = append(b.s.ids, d.ids[doc])
	b.s.lengths = append(b.s.lengths, d.lengthsOf(doc)...)
}

// add adds a term behind the last one, with its postings. A term of no document is left out.
func (b *builder) add(term, data []byte, docs int) {
	if docs == 0 {
		return
	}
	shared := 0
	if b.n%blockTerms == 0 {
		b.s.blocks = append(b.s.blocks, block{uint32(len(b.s.dictionary)), uint32(len(b.s.data))})
	} else {
		shared = sharedPrefix(b.last, term)
	}
	d := binary.AppendUvarint(b.s.dictionary, uint64(shared))
	d = binary.AppendUvarint(d, uint64(len(term)-shared))
	d = append(d, term[shared:]...)
	d = binary.AppendUvarint(d, uint64(docs-1))
	b.s.dictionary = binary.AppendUvarint(d, uint64(len(data)))
	b.s.data = append(b.s.data, data...)
	b.last = append(b.last[:0], term...)
	b.n++
}

func sharedPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// segment returns what was built, in memory of its size.
func (b *builder) segment() *segment {
	s := &segment{documents: documents{fields: b.s.fields, ids: slices.Clip(b.s.ids), lengths: slices.Clip(b.s.lengths)}}
	s.blocks = slices.Clone(b.s.blocks)
	s.own(arenaOf(b.s.dictionary), arenaOf(b.s.data))
	return s
}

// grow makes room for as much as segments have.
func (b *builder) grow(segments []*segment) {
	var docs, dictionary, data int
	for _, s := range segments {
		docs, dictionary, data = docs+s.living(), dictionary+len(s.dictionary), data+len(s.data)
	}
	b.s.ids, b.s.lengths = make([]uint32, 0, docs), make([]uint16, 0, docs*b.s.fields)
	b.s.dictionary, b.s.data = make([]byte, 0, dictionary), make([]byte, 0, data)
}

// merge returns a segment of the living documents of segments, nil if there are none. It changes nothing.
func merge(fields int, segments []*segment) *segment {
	defer runtime.KeepAlive(segments) // for the memory that is read here
	b := newBuilder(fields)
	b.grow(segments)
	places := b.mergeDocuments(segments)
	if len(b.s.ids) == 0 {
		return nil
	}
	var readers []*dictionaryReader // those that have a term
	var of []int                    // their segments
	for i, s := range segments {
		if d := s.read(0); d.next() {
			readers, of = append(readers, d), append(of, i)
		}
	}
	var found []posting
	var term, data []byte
	for len(readers) > 0 {
		term = append(term[:0], leastTerm(readers)...)
		found = found[:0]
		for i := 0; i < len(readers); i++ {
			d := readers[i]
			if !bytes.Equal(d.term, term) {
				continue
			}
			found = appendLiving(found, d.found, places[of[i]])
			if !d.next() {
				readers, of = slices.Delete(readers, i, i+1), slices.Delete(of, i, i+1)
				i--
			}
		}
		data = appendPostings(data[:0], found)
		b.add(term, data, len(found))
	}
	return b.segment()
}

func leastTerm(readers []*dictionaryReader) []byte {
	least := readers[0].term
	for _, d := range readers[1:] {
		if bytes.Compare(d.term, least) < 0 {
			least = d.term
		}
	}
	return least
}

// mergeDocuments adds the living documents of segments by ascending id, and returns the new place of each document of each
// segment, −1 for the dead.
func (b *builder) mergeDocuments(segments []*segment) [][]int32 {
	type source struct{ segment, doc int32 }
	var living []source
	places := make([][]int32, len(segments))
	for i, s := range segments {
		places[i] = slices.Repeat([]int32{-1}, len(s.ids))
		for _, doc := range s.order() {
			living = append(living, source{int32(i), doc})
		}
	}
	id := func(x source) uint32 { return segments[x.segment].ids[x.doc] }
	slices.SortFunc(living, func(x, y source) int { return int(int64(id(x)) - int64(id(y))) })
	for place, x := range living {
		b.document(&segments[x.segment].documents, x.doc)
		places[x.segment][x.doc] = int32(place)
	}
	return places
}

func appendLiving(found []posting, data []byte, places []int32) []posting {
	for p := readPostings(data); p.next(); {
		if place := places[p.doc]; place >= 0 {
			found = append(found, p.posting)
			found[len(found)-1].doc = place
		}
	}
	return found
}
