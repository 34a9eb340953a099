package fulltext

import (
	"math/bits"
	"slices"
)

// A Set holds numbers of documents: bit i of word w is number 64·w + i. A number beyond its words is not in it.
type Set []uint64

// Has reports whether a number is in the set.
func (s Set) Has(id uint32) bool { return s.word(id>>6)&(1<<(id&63)) != 0 }

func (s Set) word(i uint32) uint64 {
	if int(i) < len(s) {
		return s[i]
	}
	return 0
}

// With returns the set with a number, or without it. It may change the set in place.
func (s Set) With(id uint32, in bool) Set {
	for in && len(s) <= int(id>>6) {
		s = append(s, 0)
	}
	switch {
	case in:
		s[id>>6] |= 1 << (id & 63)
	case s.Has(id):
		s[id>>6] &^= 1 << (id & 63)
	}
	return s
}

// documents are those of one part of the index. A document's place here is its number in the postings.
type documents struct {
	ids     []uint32 // as callers number them
	lengths []uint16 // fields of them for each document: how many words each field has
	fields  int
	dead    []uint64 // a bit for each document that was deleted or replaced; shorter than ids, as the rest live
	deaths  int
}

func (d *documents) lengthsOf(doc int32) []uint16 { return d.lengths[int(doc)*d.fields:][:d.fields] }

func (d *documents) isDead(doc int32) bool {
	return int(doc>>6) < len(d.dead) && d.dead[doc>>6]&(1<<(doc&63)) != 0
}

// deadOf returns the bits of the dead among the 64 documents from place 64·word on.
func (d *documents) deadOf(word int) uint64 {
	if word < len(d.dead) {
		return d.dead[word]
	}
	return 0
}

// in returns a bit for each of the 64 documents from place 64·word on that is in a set. ascending says that the ids are: where there is no
// gap between them, their bits stand together.
func (d *documents) in(s Set, word int, ascending bool) (found uint64) {
	ids := d.ids[64*word : min(64*word+64, len(d.ids))]
	first, last := ids[0], ids[len(ids)-1]
	if ascending && int(last-first) == len(ids)-1 {
		found = s.word(first>>6) >> (first & 63)
		if first&63 != 0 {
			found |= s.word(first>>6+1) << (64 - first&63)
		}
		return found
	}
	for i, id := range ids {
		if s.Has(id) {
			found |= 1 << i
		}
	}
	return found
}

func (d *documents) kill(doc int32) {
	for len(d.dead) <= int(doc>>6) {
		d.dead = append(d.dead, 0)
	}
	d.dead[doc>>6] |= 1 << (doc & 63)
	d.deaths++
}

func (d *documents) living() int { return len(d.ids) - d.deaths }

// order returns the places of the living documents by ascending id.
func (d *documents) order() []int32 {
	places := make([]int32, 0, d.living())
	for doc := range d.ids {
		if !d.isDead(int32(doc)) {
			places = append(places, int32(doc))
		}
	}
	slices.SortFunc(places, func(a, b int32) int { return int(int64(d.ids[a]) - int64(d.ids[b])) })
	return places
}

func (d *documents) all() *documents { return d }

// countLiving returns how many documents of postings live, of which there are so many together with the dead. m is their bitmap; nil: they have none.
func (d *documents) countLiving(data []byte, docs int, m *bitmap) int {
	switch {
	case d.deaths == 0:
	case m != nil:
		for word, dead := range d.dead {
			docs -= bits.OnesCount64(dead & m.docs[word])
		}
	default:
		for p := readPostings(data); p.next(); {
			if d.isDead(p.doc) {
				docs--
			}
		}
	}
	return docs
}
