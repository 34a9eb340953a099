package fulltext

// A Reader reads the postings of an index, for rankings other than [Index.Search]'s. It and its terms are valid within [Index.Read]
// alone: the memory of postings is returned to the system when a change replaces them.
type Reader struct{ x *Index }

// Read calls f while the index is locked: changes wait until f returns, other reads do not. f must not use the index but by the reader.
func (x *Index) Read(f func(Reader)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	f(Reader{x})
}

// Docs returns how many documents there are.
func (r Reader) Docs() int { return r.x.docs }

// Words returns how many words the fields of all documents have together.
func (r Reader) Words() uint64 {
	sum := uint64(0)
	for _, length := range r.x.lengths {
		sum += length
	}
	return sum
}

// A Term is the postings of one term, as [Words] writes it. The zero Term has none.
type Term struct {
	Docs  int // documents with the term
	parts []termPart
}

// A termPart is the postings of a term in one part of an index.
type termPart struct {
	docs *documents
	data []byte
}

// Term looks a term up. It reads postings only where documents were deleted, to count the others.
func (r Reader) Term(text string) Term {
	var t Term
	for _, s := range r.x.segments {
		t.add(s, text)
	}
	t.add(r.x.recent, text)
	return t
}

func (t *Term) add(s shard, text string) {
	if data, docs := s.postings(text); docs > 0 {
		t.parts = append(t.parts, termPart{s.all(), data})
		t.Docs += s.all().countLiving(data, docs, nil)
	}
}

// Each calls f with each document that has the term: how often the term occurs there and how many words the document has, over all fields.
func (t Term) Each(f func(id uint32, count, length int)) {
	for _, part := range t.parts {
		d := part.docs
		for p := readPostings(part.data); p.next(); {
			if d.deaths > 0 && d.isDead(p.doc) {
				continue
			}
			count, length := 0, 0
			for field, words := range d.lengthsOf(p.doc) {
				count, length = count+int(p.counts[field]), length+int(words)
			}
			f(d.ids[p.doc], count, length)
		}
	}
}

// A Cutter cuts texts into the terms that [Words] returns. It remembers the stems of frequent words, which takes 512 KB and makes it some
// times faster than Words. It is not safe for concurrent use.
type Cutter struct{ cutter *cutter }

// NewCutter returns a cutter that remembers nothing yet.
func NewCutter() *Cutter { return &Cutter{newCutter()} }

// Each calls f with each term of a text in order. The term is valid until f returns.
func (c *Cutter) Each(text string, f func(term []byte)) {
	c.cutter.cut(text, func(t token) { f(t.term) })
}

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
