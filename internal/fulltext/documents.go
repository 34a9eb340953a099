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

func (d *documents) lengthsOf(doc int32) []uint16 { return d.lengths[int(doc)*d.fields:][:d.fields] }

func (d *documents) isDead(doc int32) bool {
	return int(doc>>6) < len(d.dead) && d.dead[doc>>6]&(1<<(doc&63)) != 0
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
