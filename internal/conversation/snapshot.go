package conversation

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"tidepool/internal/conversation/store"
	"tidepool/internal/fulltext"
)

// A snapshot is the version of its form, the number of documents, the documents, a checksum of all that, and the snapshot of the words.
const (
	snapshotVersion = 1
	docSize         = 8 + 8 + 4 + 1
	maxDocs         = 1 << 28 // more is a damaged number
)

// save writes the index into the store, if it has seen everything.
func (x *index) save(ctx context.Context, s *store.Store) error {
	x.following.Lock() // so that words, documents and the revision are of one moment
	defer x.following.Unlock()
	err := s.PutSegment(ctx, x.rev, func(w io.Writer) error {
		if err := x.writeDocs(w); err != nil {
			return err
		}
		return x.words.Snapshot(w)
	})
	if err == nil {
		x.unsaved = 0
	}
	return err
}

func (x *index) writeDocs(w io.Writer) error {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	buffered := bufio.NewWriterSize(io.MultiWriter(w, sum), 64<<10)
	data := binary.LittleEndian.AppendUint32(nil, snapshotVersion)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(x.docs)))
	for _, d := range x.docs { // which only the holder of following changes
		data = binary.LittleEndian.AppendUint64(data, uint64(d.session))
		data = binary.LittleEndian.AppendUint64(data, uint64(d.at))
		data = binary.LittleEndian.AppendUint32(data, uint32(d.number))
		data = append(data, d.flags)
		if _, err := buffered.Write(data); err != nil {
			return err
		}
		data = data[:0]
	}
	if _, err := buffered.Write(data); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// errSnapshot means that a snapshot cannot be used. The index is made from the turns instead.
var errSnapshot = errors.New("the snapshot of the index is damaged")

// load reads the last snapshot into an empty index. If there is none that can be used, the index stays empty.
func (x *index) load(ctx context.Context, s *store.Store) error {
	x.following.Lock()
	defer x.following.Unlock()
	var damaged error
	_, err := s.Segment(ctx, func(rev int64, r io.Reader) error {
		damaged = x.read(rev, bufio.NewReaderSize(r, 256<<10))
		return nil
	})
	if damaged != nil { // torn, or of another version: it is replaced by the next one
		x.clear()
	}
	return err
}

// restart empties the index.
func (x *index) restart() {
	x.following.Lock()
	defer x.following.Unlock()
	x.clear()
}

// clear empties the index. following is held.
func (x *index) clear() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rev, x.sessions, x.unsaved, x.found = 0, 0, 0, 0
	x.docs, x.main, x.sids, x.of, x.words = nil, fulltext.Set{}, nil, map[int64]*session{}, fulltext.New(Weights())
}

func (x *index) read(rev int64, r io.Reader) error {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	both := io.TeeReader(r, sum)
	var head [2]uint32
	if err := binary.Read(both, binary.LittleEndian, &head); err != nil || head[0] != snapshotVersion || head[1] > maxDocs {
		return errors.Join(errSnapshot, err)
	}
	docs, found := make([]doc, 0, min(int(head[1]), 1<<16)), 0
	for range head[1] {
		var data [docSize]byte
		if _, err := io.ReadFull(both, data[:]); err != nil {
			return err
		}
		d := doc{
			session: int64(binary.LittleEndian.Uint64(data[:])), at: int64(binary.LittleEndian.Uint64(data[8:])),
			number: int32(binary.LittleEndian.Uint32(data[16:])), flags: data[20],
		}
		if docs = append(docs, d); d.session != 0 {
			found++
		}
	}
	want := sum.Sum32()
	var got uint32
	if err := binary.Read(r, binary.LittleEndian, &got); err != nil || got != want {
		return errors.Join(errSnapshot, err)
	}
	words, err := fulltext.Load(r, Weights())
	if err != nil {
		return err
	}
	x.rev = rev
	x.mu.Lock()
	defer x.mu.Unlock()
	x.words, x.docs, x.found = words, docs, found
	return nil
}
