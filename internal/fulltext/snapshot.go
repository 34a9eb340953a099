package fulltext

import (
	"io"
	"runtime"
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

// Snapshot writes the index, so that [Load] can read it. Changes wait until the mutable part is frozen and small segments are merged, half
// a second at most, and not for w; what is put after that is not in the snapshot.
func (x *Index) Snapshot(w io.Writer) error {
	x.writing.Lock()
	if len(x.recent.ids) > 0 {
		x.freeze()
	}
	segments := slices.Clone(x.segments)
	dead := make([][]uint64, len(segments))
	for i, s := range segments {
		dead[i] = slices.Clone(s.dead)
	}
	x.writing.Unlock()
	out := &writer{w: w}
	out.head(len(x.lengths), len(segments))
	for i, s := range segments {
		out.segment(s, dead[i])
	}
	runtime.KeepAlive(segments)
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
