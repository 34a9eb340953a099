package fulltext

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

// Postings say, for one term, in which documents it occurs, and how often in which field. They are bytes, ascending by document:
//
//	uvarint(gap << 3 | form)   gap: documents between this one and the one before, from −1
//	form 0 to 6                the term occurs once, in that field
//	form 7                     a byte with a bit for each field, then uvarint(occurrences) for each of them
//
// Two of three postings are one or two bytes.
const several = 7

// maxCount bounds the occurrences that count, and the length of a field, in words. More make no difference to the rank.
const maxCount = 1<<16 - 1

// A posting is the occurrences of a term in one document.
type posting struct {
	doc    int32             // its place in its part of the index
	mask   uint8             // a bit for each field with the term
	counts [MaxFields]uint16 // 0 in fields without it
}

// postings reads the postings of a term, one after the other.
type postings struct {
	posting
	form uint8 // of the posting read last
	data []byte
}

func readPostings(data []byte) postings { return postings{posting: posting{doc: -1}, data: data} }

// next reads the next document with its counts, false at the end. Data that an encoder has not made gives an end or a wrong document, and no
// panic.
func (p *postings) next() bool { return p.nextDoc() && p.readCounts() }

// nextDoc reads the next document, and not its counts: either readCounts or skipCounts comes after it.
func (p *postings) nextDoc() bool {
	head, n := uint64(0), 1
	if len(p.data) > 0 && p.data[0] < 0x80 { // most are of one byte
		head = uint64(p.data[0])
	} else if head, n = binary.Uvarint(p.data); n <= 0 {
		return false
	}
	p.data = p.data[n:]
	p.doc += int32(head>>3) + 1
	p.form = uint8(head & 7)
	return true
}

// skipCounts goes to the next document.
func (p *postings) skipCounts() {
	if p.form != several || len(p.data) == 0 {
		return
	}
	numbers, i := bits.OnesCount8(p.data[0]), 1
	for ; numbers > 0 && i < len(p.data); i++ {
		if p.data[i] < 0x80 {
			numbers--
		}
	}
	p.data = p.data[i:]
}

func (p *postings) readCounts() bool {
	for m := p.mask; m != 0; m &= m - 1 {
		p.counts[bits.TrailingZeros8(m)] = 0
	}
	p.mask = 0
	if p.form != several {
		p.mask = 1 << p.form
		p.counts[p.form] = 1
		return true
	}
	return p.readSeveral()
}

func (p *postings) readSeveral() bool {
	if len(p.data) == 0 {
		return false
	}
	mask := p.data[0]
	p.data = p.data[1:]
	for m := mask; m != 0; m &= m - 1 {
		count, n := binary.Uvarint(p.data)
		if n <= 0 {
			return false
		}
		p.data = p.data[n:]
		p.counts[bits.TrailingZeros8(m)] = uint16(min(count, maxCount))
	}
	p.mask = mask
	return true
}

// appendPosting appends a posting of a document behind last, which is −1 before the first.
func appendPosting(dst []byte, last int32, p *posting) []byte {
	head := uint64(p.doc-last-1) << 3
	first := bits.TrailingZeros8(p.mask)
	if first < several && p.mask == 1<<first && p.counts[first] == 1 {
		return binary.AppendUvarint(dst, head|uint64(first))
	}
	dst = append(binary.AppendUvarint(dst, head|several), p.mask)
	for m := p.mask; m != 0; m &= m - 1 {
		dst = binary.AppendUvarint(dst, uint64(p.counts[bits.TrailingZeros8(m)]))
	}
	return dst
}

// appendPostings appends postings, which it sorts.
func appendPostings(dst []byte, found []posting) []byte {
	ascending := func(a, b posting) int { return int(a.doc - b.doc) }
	if !slices.IsSortedFunc(found, ascending) {
		slices.SortFunc(found, ascending)
	}
	last := int32(-1)
	for i := range found {
		dst = appendPosting(dst, last, &found[i])
		last = found[i].doc
	}
	return dst
}

// A bitmap is a second form of the postings of a term that many documents have: which they are, and where to read on for some of them. It is
// made at the first query with the term. Such a term counts little, so that mostly its documents are only counted.
type bitmap struct {
	docs   []uint64 // a bit for each document
	places []place  // by 64 documents; shorter if the last ones do not have the term
}

// A place is where postings can be read on.
type place struct {
	last int32  // document before
	at   uint32 // byte
}

// bitmapShare is the share of the documents from which on a term has a bitmap: one of so many. It takes 16 bytes for 64 documents, so what all frequent
// terms together take is bounded by how many can be frequent: some hundred in English and code, 5 MB for 200,000 documents.
const bitmapShare = 12

func newBitmap(data []byte, docs int) *bitmap {
	b := &bitmap{docs: make([]uint64, (docs+63)/64)}
	p := readPostings(data)
	for {
		here := place{p.doc, uint32(len(data) - len(p.data))}
		if !p.nextDoc() {
			return b
		}
		for len(b.places) <= int(p.doc>>6) {
			b.places = append(b.places, here)
		}
		b.docs[p.doc>>6] |= 1 << (p.doc & 63)
		p.skipCounts()
	}
}

// bitmaps are those of a segment.
type bitmaps struct {
	mu   sync.Mutex
	made map[string]*bitmap // by term
}

// of returns the bitmap of a term with some postings, and makes it if it is the first who asks.
func (b *bitmaps) of(term string, data []byte, docs int) *bitmap {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m := b.made[term]; m != nil {
		return m
	}
	if b.made == nil {
		b.made = map[string]*bitmap{}
	}
	m := newBitmap(data, docs)
	b.made[term] = m
	return m
}

// bytes returns about how much memory they take.
func (b *bitmaps) bytes() (sum int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.made {
		sum += 8 * (len(m.docs) + cap(m.places))
	}
	return sum
}
