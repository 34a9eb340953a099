package fulltext

import "slices"

// documents are those of one part of the index. A document's place here is its number in the postings.
type documents struct {
	ids     []uint32 // as callers number them
	lengths []uint16 // fields of them for each document: how many words each field has
	fields  int
	dead    []uint64 // a bit for each document that was deleted or replaced; shorter than ids, as the rest live
	deaths  int
}

func (d *documents) lengthsOf(doc int) []uint16 { return d.lengths[doc*d.fields:][:d.fields] }

func (d *documents) isDead(doc int) bool {
	return doc>>6 < len(d.dead) && d.dead[doc>>6]&(1<<(doc&63)) != 0
}

func (d *documents) kill(doc int) {
	for len(d.dead) <= doc>>6 {
		d.dead = append(d.dead, 0)
	}
	d.dead[doc>>6] |= 1 << (doc & 63)
	d.deaths++
}

func (d *documents) living() int { return len(d.ids) - d.deaths }

// order returns the places of the living documents by ascending id.
func (d *documents) order() []int {
	places := make([]int, 0, d.living())
	for doc := range d.ids {
		if !d.isDead(doc) {
			places = append(places, doc)
		}
	}
	slices.SortFunc(places, func(a, b int) int { return int(int64(d.ids[a]) - int64(d.ids[b])) })
	return places
}

func (d *documents) all() *documents { return d }

// countLiving returns how many documents of postings live, of which there are so many together with the dead.
func (d *documents) countLiving(data []byte, docs int) int {
	if d.deaths == 0 {
		return docs
	}
	for p := readPostings(data); p.next(); {
		if d.isDead(p.doc) {
			docs--
		}
	}
	return docs
}
