package tail

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"time"
)

// A Place says how far a file was read, and what it was then. The zero Place is the beginning of any file. It is what a caller
// stores.
type Place struct {
	Device, Inode uint64
	Size          int64 // bytes, the partial line at the end included; of a file that was not read to its end, the offset
	ModTime       time.Time
	Offset        int64  // bytes that were read: complete lines
	Head, Tail    []byte // SHA-256 of the first headSize bytes and of the last tailSize bytes before the offset, as far as there are so many
}

const (
	headSize = 4 << 10
	tailSize = 256
)

// Unchanged reports whether a file seems to be as it was when a place was reached, by identity, size and time alone. It saves
// opening thousands of files at a start. A write of the same size within one tick of the file system's clock is not seen;
// Compare sees it.
func (t *Transcript) Unchanged(p Place) bool {
	return t.Device == p.Device && t.Inode == p.Inode && t.Size == p.Size && t.ModTime.Equal(p.ModTime)
}

// A Change is what has happened to a file since a Place.
type Change string

// The changes.
const (
	Same      Change = "same"      // all was read
	Grown     Change = "grown"     // read on at the place; there may be a partial line only
	Rewritten Change = "rewritten" // read anew from the zero Place, and forget what was read of it
)

// Compare says what has happened since a place was reached, in this file or in one that was moved or copied here: it has grown
// if what was read still hashes to what it did.
func (f *File) Compare(p Place) (Change, error) {
	if err := f.refresh(); err != nil {
		return "", err
	}
	if f.Size < p.Offset {
		return Rewritten, nil
	}
	for _, part := range []struct {
		at, size int64
		sum      []byte
	}{{0, min(p.Offset, headSize), p.Head}, {max(0, p.Offset-tailSize), min(p.Offset, tailSize), p.Tail}} {
		if part.size == 0 {
			continue
		}
		sum, err := f.sum(part.at, part.size)
		if errors.Is(err, errCut) || err == nil && !bytes.Equal(sum, part.sum) {
			return Rewritten, nil
		}
		if err != nil {
			return "", err
		}
	}
	if f.Size == p.Offset {
		return Same, nil
	}
	return Grown, nil
}

// sum hashes a part of the file.
func (f *File) sum(at, size int64) ([]byte, error) {
	data, err := f.part(at, size)
	sum := sha256.Sum256(data)
	return sum[:], err
}

// part reads a part of the file; errCut if it has become shorter.
func (f *File) part(at, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f.file, at, size), data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errCut
	}
	return data, err
}

var errCut = errors.New("the file has become shorter while it was read")
