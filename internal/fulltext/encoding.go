package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A writer writes numbers and slices until an error.
type writer struct {
	w   io.Writer
	crc uint32
	err error
}

func (w *writer) bytes(b []byte) {
	if w.err == nil {
		w.crc = crc32.Update(w.crc, castagnoli(), b)
		_, w.err = w.w.Write(b)
	}
}

func (w *writer) number(n uint32) { w.bytes(binary.LittleEndian.AppendUint32(nil, n)) }

func (w *writer) head(fields, segments int) {
	w.bytes([]byte(magic))
	for _, n := range []int{formatVersion, WordsVersion, fields, segments} {
		w.number(uint32(n))
	}
}

func (w *writer) segment(s *segment, dead []uint64) {
	blocks := make([]uint32, 0, 2*len(s.blocks))
	for _, b := range s.blocks {
		blocks = append(blocks, b.dictionary, b.data)
	}
	write(w, s.ids)
	write(w, s.lengths)
	write(w, dead)
	write(w, blocks)
	w.block(s.dictionary)
	w.block(s.data)
}

// block writes bytes behind their length.
func (w *writer) block(b []byte) {
	w.number(uint32(len(b)))
	w.bytes(b)
}

// write writes a slice behind its length.
func write[T uint16 | uint32 | uint64](w *writer, values []T) {
	w.number(uint32(len(values)))
	data, err := binary.Append(nil, binary.LittleEndian, values)
	if w.bytes(data); w.err == nil {
		w.err = err
	}
}

// A reader reads numbers and slices until an error.
type reader struct {
	r   io.Reader
	crc uint32
	err error
}

// bytes reads n bytes. Memory grows with what there is, so that a wrong length takes none.
func (r *reader) bytes(n int) []byte {
	const step = 1 << 20
	var b []byte
	for len(b) < n && r.err == nil {
		start := len(b)
		size := min(n-start, max(step, start))
		b = slices.Grow(b, size)[:start+size]
		r.fill(b[start:])
	}
	if r.err != nil {
		return nil
	}
	return b
}

func (r *reader) number() uint32 {
	b := r.bytes(4)
	if r.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// head returns how many segments follow.
func (r *reader) head(fields int) (int, error) {
	if got := r.bytes(len(magic)); r.err != nil || string(got) != magic {
		return 0, &SnapshotError{"it is not a snapshot of an index", r.err}
	}
	format, words, n, segments := r.number(), r.number(), r.number(), r.number()
	switch {
	case r.err != nil:
		return 0, &SnapshotError{"reading its head", r.err}
	case format != formatVersion:
		return 0, &SnapshotError{fmt.Sprintf("its format is version %d, and this program reads %d", format, formatVersion), nil}
	case words != WordsVersion:
		return 0, &SnapshotError{fmt.Sprintf("its words are version %d, and this program cuts %d", words, WordsVersion), nil}
	case int(n) != fields:
		return 0, &SnapshotError{fmt.Sprintf("its documents have %d fields instead of %d", n, fields), nil}
	case segments > maxSegments:
		return 0, &SnapshotError{fmt.Sprintf("it has %d segments, more than %d", segments, maxSegments), nil}
	}
	return int(segments), nil
}

func (r *reader) segment(fields int) *segment {
	s := &segment{documents: documents{fields: fields}}
	s.ids = read[uint32](r)
	s.lengths = read[uint16](r)
	s.dead = read[uint64](r)
	for pair := range slices.Chunk(read[uint32](r), 2) {
		s.blocks = append(s.blocks, block{pair[0], pair[len(pair)-1]})
	}
	dictionary := r.arena()
	s.own(dictionary, r.arena())
	return s
}

// arena reads bytes behind their length. A wrong length takes no memory: what is not there is not read.
func (r *reader) arena() arena {
	n := int(r.number())
	if r.err != nil {
		return nil
	}
	a, err := newArena(n)
	if err != nil {
		r.err = err
		return nil
	}
	if r.fill(a); r.err != nil {
		a.free()
		return nil
	}
	return a
}

// fill reads as many bytes as there is room for.
func (r *reader) fill(b []byte) {
	n, err := io.ReadFull(r.r, b)
	r.crc = crc32.Update(r.crc, castagnoli(), b[:n])
	if r.err = err; errors.Is(err, io.EOF) {
		r.err = io.ErrUnexpectedEOF
	}
}

func read[T uint16 | uint32 | uint64](r *reader) []T {
	var zero T
	n := int(r.number())
	data := r.bytes(n * binary.Size(zero))
	if r.err != nil {
		return nil
	}
	values := make([]T, n)
	_, r.err = binary.Decode(data, binary.LittleEndian, values)
	return values
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
