package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"tidepool/internal/fulltext"
)

// A snapshot is, with all numbers little-endian:
//
//	magic, version, sequence number of the last change
//	slots, bytes of names
//	for each slot: number, project, kind, trust, session, turn, time, hash, bytes of the text, confidence, flags; zeroes for one of nothing
//	names, each behind its length
//	CRC-32C of all that
//	the snapshot of the words
const (
	magic   = "tidememory\n"
	version = 1
	docSize = 4*5 + 8*3 + 4 + 4 + 4

	maxSlots = 1 << 27
	maxNames = 1 << 30 // bytes
)

const (
	flagLiving = 1 << iota
	flagSuperseded
)

// A SnapshotError means that a snapshot cannot be used, and the index must be built from the memories.
type SnapshotError struct {
	Reason string
	Err    error // nil: the snapshot was read and is not right
}

func (e *SnapshotError) Error() string {
	if e.Err != nil {
		return "loading the index of memories: " + e.Reason + ": " + e.Err.Error()
	}
	return "loading the index of memories: " + e.Reason
}

// Unwrap returns the cause.
func (e *SnapshotError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *SnapshotError) Hint() string {
	return "nothing is lost: the index is built again from the stored memories"
}

// Snapshot writes the index with the sequence number of the last change that it has, so that [Load] can read it. Changes wait for it.
func (x *Index) Snapshot(w io.Writer, seq int64) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	head := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, version)...)
	head = binary.LittleEndian.AppendUint64(head, uint64(seq))
	docs, names := x.encode()
	head = binary.LittleEndian.AppendUint32(head, uint32(len(x.docs)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(names)))
	sum := crc32.New(castagnoli())
	for _, data := range [][]byte{head, docs, names} {
		sum.Write(data)
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32())); err != nil {
		return err
	}
	return x.words.Snapshot(w)
}

// encode returns the slots and the names. writing is held, and only its holder changes them.
func (x *Index) encode() (docs, encoded []byte) {
	all := newNames()
	docs = make([]byte, 0, docSize*len(x.docs))
	for slot := range x.docs {
		d := &x.docs[slot]
		if !d.living {
			docs = append(docs, make([]byte, docSize)...)
			continue
		}
		flags := uint32(flagLiving)
		if d.superseded {
			flags |= flagSuperseded
		}
		for _, n := range []uint32{
			d.n, all.number(x.names.texts[d.project]), all.number(x.names.texts[d.kind]), all.number(x.names.texts[d.trust]),
			all.number(x.sessions[x.sessionOf[slot]].name), d.size, math.Float32bits(d.confidence), flags,
		} {
			docs = binary.LittleEndian.AppendUint32(docs, n)
		}
		for _, n := range []uint64{uint64(d.turn), uint64(d.at), d.hash} {
			docs = binary.LittleEndian.AppendUint64(docs, n)
		}
	}
	for _, text := range all.texts {
		encoded = append(binary.AppendUvarint(encoded, uint64(len(text))), text...)
	}
	return docs, encoded
}

// Load reads a snapshot, and returns the sequence number that it was written with. Its error is a [SnapshotError] if the snapshot is torn,
// damaged or of another version.
func Load(r io.Reader) (*Index, int64, error) {
	sum := crc32.New(castagnoli())
	both := io.TeeReader(r, sum)
	head := make([]byte, len(magic)+4+8+4+4)
	if _, err := io.ReadFull(both, head); err != nil || string(head[:len(magic)]) != magic {
		return nil, 0, &SnapshotError{"it is not a snapshot of an index of memories", err}
	}
	numbers := head[len(magic):]
	if got := binary.LittleEndian.Uint32(numbers); got != version {
		return nil, 0, &SnapshotError{fmt.Sprintf("its format is version %d, and this program reads %d", got, version), nil}
	}
	seq := int64(binary.LittleEndian.Uint64(numbers[4:]))
	slots, size := binary.LittleEndian.Uint32(numbers[12:]), binary.LittleEndian.Uint32(numbers[16:])
	if slots > maxSlots || size > maxNames {
		return nil, 0, &SnapshotError{fmt.Sprintf("it would have %d memories and %d bytes of names", slots, size), nil}
	}
	docs, err := take(both, int(slots)*docSize)
	if err != nil {
		return nil, 0, &SnapshotError{"reading its memories", err}
	}
	encoded, err := take(both, int(size))
	if err != nil {
		return nil, 0, &SnapshotError{"reading its names", err}
	}
	want := sum.Sum32()
	if last, err := take(r, 4); err != nil || binary.LittleEndian.Uint32(last) != want {
		return nil, 0, &SnapshotError{"the checksum is wrong", err}
	}
	x, err := decode(docs, encoded)
	if err != nil {
		return nil, 0, &SnapshotError{"reading its memories", err}
	}
	if x.words, err = fulltext.Load(r, fields()); err != nil {
		return nil, 0, &SnapshotError{"reading its words", err}
	}
	if x.words.Docs() != len(x.slots) {
		return nil, 0, &SnapshotError{fmt.Sprintf("it has %d memories, and words of %d", len(x.slots), x.words.Docs()), nil}
	}
	return x, seq, nil
}

// take reads n bytes. Memory grows with what there is, so that a wrong number takes none.
func take(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return b.Bytes(), nil
}

// decode returns an index of slots and names, without words.
func decode(docs, encoded []byte) (*Index, error) {
	x := New()
	for len(encoded) > 0 {
		n, size := binary.Uvarint(encoded)
		if size <= 0 || n > uint64(len(encoded)-size) {
			return nil, errors.New("a name is longer than there are names")
		}
		x.names.number(string(encoded[size:][:n]))
		encoded = encoded[size:][n:]
	}
	x.docs, x.sessionOf = make([]doc, len(docs)/docSize), make([]uint32, len(docs)/docSize)
	for slot := range x.docs {
		if err := x.decode(uint32(slot), docs[slot*docSize:][:docSize]); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// decode reads one slot.
func (x *Index) decode(slot uint32, data []byte) error {
	var n [8]uint32
	for i := range n {
		n[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	if n[7]&flagLiving == 0 {
		x.free, x.sessionOf[slot] = append(x.free, slot), noSession
		return nil
	}
	long := data[4*len(n):]
	d := doc{
		n: n[0], project: n[1], kind: n[2], trust: n[3], size: n[5], confidence: math.Float32frombits(n[6]),
		superseded: n[7]&flagSuperseded != 0, living: true,
		turn: int64(binary.LittleEndian.Uint64(long)), at: int64(binary.LittleEndian.Uint64(long[8:])), hash: binary.LittleEndian.Uint64(long[16:]),
	}
	if most := uint32(len(x.names.texts)); d.project >= most || d.kind >= most || d.trust >= most || n[4] >= most {
		return errors.New("a memory has a name that is not there")
	}
	if _, twice := x.slots[d.n]; twice {
		return errors.New("a memory is there twice")
	}
	x.docs[slot], x.slots[d.n] = d, slot
	x.join(slot, x.names.texts[n[4]])
	return nil
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
