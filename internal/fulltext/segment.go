package fulltext

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sort"

	"golang.org/x/sys/unix"
)

// blockTerms is how many terms a block of a dictionary has. Looking a term up reads half a block.
const blockTerms = 16

// A segment is a part of the index that does not change, but for which of its documents live. Its dictionary is sorted and made of
// blocks of 16 terms, each written as
//
//	uvarint(bytes shared with the term before, 0 for the first of a block) uvarint(length of the rest) rest
//	uvarint(documents − 1) uvarint(bytes of its postings)
//
// The postings of the terms stand one behind the other in the same order.
type segment struct {
	documents
	dictionary []byte
	blocks     []block
	data       []byte // postings
	frequent   bitmaps
}

// A block is where a block of the dictionary starts, and the postings of its first term.
type block struct{ dictionary, data uint32 }

// A dictionaryReader reads the terms of a segment in order, from a block on.
type dictionaryReader struct {
	rest  []byte // of the dictionary
	data  []byte // postings from the next term on
	n     int    // terms read
	term  []byte // the term read last; valid until the next one
	found []byte // its postings
	docs  int    // documents in them, the dead included
}

func (s *segment) read(block int) *dictionaryReader {
	if block >= len(s.blocks) {
		return new(dictionaryReader)
	}
	b := s.blocks[block]
	return &dictionaryReader{rest: s.dictionary[b.dictionary:], data: s.data[b.data:], n: block * blockTerms}
}

// next reads a term, false at the end or where the dictionary is not one.
func (d *dictionaryReader) next() bool {
	shared, ok1 := d.uvarint()
	length, ok2 := d.uvarint()
	if !ok1 || !ok2 || shared > uint64(len(d.term)) || length > uint64(len(d.rest)) || (d.n%blockTerms == 0 && shared != 0) {
		return false
	}
	d.term = append(d.term[:shared], d.rest[:length]...)
	d.rest = d.rest[length:]
	docs, ok1 := d.uvarint()
	size, ok2 := d.uvarint()
	if !ok1 || !ok2 || size > uint64(len(d.data)) || docs >= size {
		return false
	}
	d.docs, d.found, d.data = int(docs)+1, d.data[:size], d.data[size:]
	d.n++
	return true
}

func (d *dictionaryReader) uvarint() (uint64, bool) {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		return 0, false
	}
	d.rest = d.rest[n:]
	return v, true
}

// postings returns the postings of a term and the number of documents in them, dead ones included.
func (s *segment) postings(term string) ([]byte, int) {
	i := sort.Search(len(s.blocks), func(i int) bool { return string(s.firstTerm(i)) > term }) - 1
	if i < 0 {
		return nil, 0
	}
	d := s.read(i)
	for range blockTerms {
		if !d.next() {
			break
		}
		switch bytes.Compare(d.term, []byte(term)) {
		case 0:
			return d.found, d.docs
		case 1:
			return nil, 0
		}
	}
	return nil, 0
}

func (s *segment) firstTerm(i int) []byte {
	b := s.dictionary[s.blocks[i].dictionary:]
	_, n := binary.Uvarint(b)
	length, m := binary.Uvarint(b[n:])
	return b[n+m:][:length]
}

func (s *segment) bytes() int {
	return len(s.dictionary) + 8*len(s.blocks) + len(s.data) + 4*len(s.ids) + 2*len(s.lengths) + 8*len(s.dead) + s.frequent.bytes()
}

// An arena is memory outside of the heap. The collector lets a heap grow to twice of what is in use; a segment's dictionary and postings
// are most of an index, and never garbage until all of the segment is. In arenas an index of 200,000 documents takes as much as it has,
// and gives it back at once when it is dropped.
type arena []byte

// newArena returns zeroed memory, which takes none of the machine's before it is written to.
func newArena(size int) (arena, error) {
	if size == 0 {
		return nil, nil
	}
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func (a arena) free() {
	if len(a) > 0 {
		_ = unix.Munmap(a) // which fails for what is no mapping alone
	}
}

// own makes the dictionary and the postings of a segment live as long as the segment. Who reads them keeps the segment: an index does
// while it is locked.
func (s *segment) own(dictionary, data arena) {
	s.dictionary, s.data = dictionary, data
	runtime.AddCleanup(s, arena.free, dictionary)
	runtime.AddCleanup(s, arena.free, data)
}

// arenaOf returns a copy of bytes; on the heap if the system has no other memory.
func arenaOf(b []byte) arena {
	a, err := newArena(len(b))
	if err != nil {
		return append(arena(nil), b...)
	}
	copy(a, b)
	return a
}
