package fulltext

import (
	"runtime"

	"golang.org/x/sys/unix"
)

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
