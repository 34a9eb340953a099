package fulltext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A snapshot is, with all numbers little-endian:
//
//	magic, version of the format, WordsVersion, fields, segments
//	for each segment: ids, lengths, dead, blocks, dictionary, postings, each behind its length in elements
//	CRC-32C of all that
const (
	magic         = "tidewords\n"
	formatVersion = 1
	maxSegments   = 1 << 12
)

// A SnapshotError means that a snapshot cannot be used, and the index must be built from the texts.
type SnapshotError struct {
	Reason string
	Err    error // nil: the snapshot was read and is not right
}

func (e *SnapshotError) Error() string {
	if e.Err != nil {
		return "loading the index: " + e.Reason + ": " + e.Err.Error()
	}
	return "loading the index: " + e.Reason
}

// Unwrap returns the cause.
func (e *SnapshotError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *SnapshotError) Hint() string {
	return "nothing is lost: the index is built again from the stored texts"
}

// Snapshot writes the index, so that [Load] can read it. Changes wait until the mutable part is frozen, a tenth of a second at most, and
// not for w; what is put after that is not in the snapshot.
func (x *Index) Snapshot(w io.Writer) error {
	x.writing.Lock()
	if len(x.recent.ids) > 0 {
		x.freeze()
	}
	segments := make([]*segment, len(x.segments))
	for i, s := range x.segments {
		c := *s
		c.dead = slices.Clone(s.dead)
		segments[i] = &c
	}
	x.writing.Unlock()
	out := &writer{w: w}
	out.head(len(x.lengths), len(segments))
	for _, s := range segments {
		out.segment(s)
	}
	out.number(out.crc)
	return out.err
}

// Load reads a snapshot. Its error is a [SnapshotError] if the snapshot is torn, foreign, of other versions or of other fields.
func Load(r io.Reader, w Weights) (*Index, error) {
	x := New(w)
	in := &reader{r: r}
	n, err := in.head(len(w.Weight))
	if err != nil {
		return nil, err
	}
	for range n {
		s := in.segment(len(w.Weight))
		if in.err != nil {
			return nil, &SnapshotError{"reading a segment", in.err}
		}
		x.segments = append(x.segments, s)
	}
	if sum := in.crc; in.number() != sum || in.err != nil {
		return nil, &SnapshotError{"the checksum is wrong", in.err}
	}
	for _, s := range x.segments {
		if err := s.check(); err != nil {
			return nil, &SnapshotError{"checking a segment", err}
		}
		x.count(s)
	}
	return x, nil
}

// count counts the living documents of a segment.
func (x *Index) count(s *segment) {
	for doc := range s.ids {
		if s.isDead(int32(doc)) {
			continue
		}
		x.docs++
		for f, size := range s.lengthsOf(int32(doc)) {
			x.lengths[f] += uint64(size)
		}
	}
}

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

func (w *writer) segment(s *segment) {
	blocks := make([]uint32, 0, 2*len(s.blocks))
	for _, b := range s.blocks {
		blocks = append(blocks, b.dictionary, b.data)
	}
	write(w, s.ids)
	write(w, s.lengths)
	write(w, s.dead)
	write(w, blocks)
	write(w, s.dictionary)
	write(w, s.data)
}

// write writes a slice behind its length.
func write[T uint8 | uint16 | uint32 | uint64](w *writer, values []T) {
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
		_, r.err = io.ReadFull(r.r, b[start:])
	}
	if errors.Is(r.err, io.EOF) {
		r.err = io.ErrUnexpectedEOF
	}
	if r.err != nil {
		return nil
	}
	r.crc = crc32.Update(r.crc, castagnoli(), b)
	return slices.Clip(b)
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
	s.dictionary = read[uint8](r)
	s.data = read[uint8](r)
	return s
}

func read[T uint8 | uint16 | uint32 | uint64](r *reader) []T {
	var zero T
	n := int(r.number())
	data := r.bytes(n * binary.Size(zero))
	if bytes, ok := any(data).([]T); ok || r.err != nil {
		return bytes
	}
	values := make([]T, n)
	_, r.err = binary.Decode(data, binary.LittleEndian, values)
	return values
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
