package fulltext

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// check reports what is wrong with a segment that was read. After it, nothing that reads the segment leaves its bounds.
func (s *segment) check() error {
	if len(s.lengths) != len(s.ids)*s.fields || !slices.IsSorted(s.ids) || len(slices.Compact(slices.Clone(s.ids))) != len(s.ids) {
		return errors.New("its documents are not in order")
	}
	for doc := len(s.ids); doc < 64*len(s.dead); doc++ {
		if s.isDead(int32(doc)) {
			return errors.New("documents that it does not have are dead")
		}
	}
	for _, word := range s.dead {
		s.deaths += bits.OnesCount64(word)
	}
	return s.checkTerms()
}

// checkTerms reads the whole dictionary and all postings.
func (s *segment) checkTerms() error {
	var last []byte
	d := &dictionaryReader{rest: s.dictionary, data: s.data}
	for len(d.rest) > 0 {
		if d.n%blockTerms == 0 && (d.n/blockTerms >= len(s.blocks) || s.blocks[d.n/blockTerms] != s.blockAt(d)) {
			return errors.New("a block of its dictionary is not where it should be")
		}
		if !d.next() || d.n > 1 && bytes.Compare(last, d.term) >= 0 {
			return errors.New("its dictionary is not in order")
		}
		last = append(last[:0], d.term...)
		if err := s.checkPostings(d.found, d.docs); err != nil {
			return err
		}
	}
	if (d.n+blockTerms-1)/blockTerms != len(s.blocks) || len(d.data) > 0 {
		return errors.New("its dictionary ends early")
	}
	return nil
}

// blockAt returns the block that starts where a reader is.
func (s *segment) blockAt(d *dictionaryReader) block {
	return block{uint32(len(s.dictionary) - len(d.rest)), uint32(len(s.data) - len(d.data))}
}

// checkPostings reports whether postings are of so many documents and fields that there are. It reads without keeping counts, in half the
// time of a search: there are some twenty million postings in an index of 200,000 documents.
func (s *segment) checkPostings(data []byte, docs int) error {
	doc := uint64(0) // behind the one read last
	for ; docs > 0; docs-- {
		head, rest := cutUvarint(data)
		mask := byte(1) << (head & 7)
		if doc += head>>3 + 1; rest == nil || head>>3 > uint64(len(s.ids)) || doc > uint64(len(s.ids)) {
			return errors.New("postings are of documents that it does not have")
		}
		if head&7 == several {
			if len(rest) == 0 {
				return errors.New("postings end early")
			}
			mask, rest = rest[0], rest[1:]
			for range bits.OnesCount8(mask) {
				if _, rest = cutUvarint(rest); rest == nil {
					return errors.New("postings end early")
				}
			}
		}
		if int(mask)>>s.fields > 0 {
			return errors.New("postings are of fields that it does not have")
		}
		data = rest
	}
	if len(data) > 0 {
		return errors.New("postings are of more documents than they should be")
	}
	return nil
}

// cutUvarint returns the number at the start of data, and what is behind it; nil if there is no number.
func cutUvarint(data []byte) (uint64, []byte) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), data[1:]
	}
	v, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil
	}
	return v, data[n:]
}
