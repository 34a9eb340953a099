package fulltext

import (
	"encoding/binary"
	"math/bits"
	"slices"
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
