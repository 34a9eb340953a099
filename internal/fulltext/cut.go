package fulltext

// A Cut is a document that was cut into terms, apart from any index: several goroutines may cut documents for one. It is used by one
// goroutine at a time.
type Cut struct{ draft draft }

// Document cuts the texts of a document's fields, in the order of the index's weights.
func (c *Cutter) Document(fields []string) *Cut {
	d := new(Cut)
	c.cutter.draft(&d.draft, 0, fields, len(fields))
	return d
}

// PutCut adds a document that was cut before, or replaces the one with this id. It is [Index.Put] without the cutting, which is half of
// its time. A field too many is a panic.
func (x *Index) PutCut(id uint32, c *Cut) {
	x.writing.Lock()
	defer x.writing.Unlock()
	if len(c.draft.sizes) > len(x.lengths) {
		panic("fulltext: a document has more fields than the index has weights")
	}
	c.draft.id = id
	for len(c.draft.sizes) < len(x.lengths) {
		c.draft.sizes = append(c.draft.sizes, 0)
	}
	x.put(&c.draft)
}
