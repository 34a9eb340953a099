package tail

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxLine is the longest line that is read, in bytes. A longer one is passed over.
const MaxLine = 64 << 20

// Lines take what is read; a transcript.Reader does.
type Lines interface {
	// Line takes one line without its newline, at its offset in the file. The line is valid until Line returns.
	Line(at int64, line []byte)
	// PassedOver takes the offset and length of a line that was too long to be read.
	PassedOver(at, length int64)
}

// ErrRewritten means that a file is not the one any more in which a place was reached.
var ErrRewritten = errors.New("the file was written anew while it was read")

// Read reads complete lines from a place on, and returns the place behind the last one. It ends at the last newline that the file
// had when it began, or behind the line that completes limit bytes; limit 0: no limit. A partial line at the end waits. The
// memory that it takes is that of the longest line, MaxLine at most. With an error nothing counts that was given to the lines; [ErrRewritten] is one of them.
func (f *File) Read(from Place, limit int64, to Lines) (Place, error) {
	if err := f.refresh(); err != nil {
		return Place{}, err
	}
	r := reader{file: f.file, lines: to, at: from.Offset, end: from.Offset + limit}
	if err := f.prime(&r, from.Offset); err != nil {
		return Place{}, err
	}
	if head, tail := sha256.Sum256(r.head), sha256.Sum256(r.tail); from.Offset > 0 && !(bytes.Equal(head[:], from.Head) && bytes.Equal(tail[:], from.Tail)) {
		return Place{}, ErrRewritten // or the new place would be of the new file, and the lines before it of the old one
	}
	r.in = bufio.NewReaderSize(io.NewSectionReader(f.file, from.Offset, max(0, f.Size-from.Offset)), chunk)
	if err := r.read(limit > 0); err != nil {
		return Place{}, err
	}
	return f.place(r), nil
}

// prime gives a reader what stands before an offset, as far as a place needs it.
func (f *File) prime(r *reader, offset int64) (err error) {
	if r.head, err = f.part(0, min(offset, headSize)); err != nil {
		return err
	}
	r.tail, err = f.part(max(0, offset-tailSize), min(offset, tailSize))
	return err
}

// place returns where a reader has come to. The hashes are of the bytes that were read: if the file was replaced meanwhile,
// the next comparison shows it.
func (f *File) place(r reader) Place {
	head, tail := sha256.Sum256(r.head[:min(r.at, headSize)]), sha256.Sum256(r.tail)
	p := Place{Device: f.Device, Inode: f.Inode, Size: f.Size, ModTime: f.ModTime, Offset: r.at, Head: head[:], Tail: tail[:]}
	if r.stopped {
		p.Size = p.Offset // there is more, which Unchanged must show
	}
	return p
}

// chunk is how many bytes are read at once.
const chunk = 256 << 10

// A reader splits a part of a file into lines.
type reader struct {
	file    io.ReaderAt
	in      *bufio.Reader // of file, from at on
	lines   Lines
	at      int64  // behind the last complete line
	end     int64  // where reading may stop
	head    []byte // the first bytes of the file, headSize at most
	tail    []byte // the last tailSize bytes of complete lines
	stopped bool   // at the limit
}

func (r *reader) read(limited bool) error {
	for {
		if r.stopped = limited && r.at >= r.end; r.stopped {
			return nil
		}
		piece, err := r.in.ReadSlice('\n')
		switch {
		case err == nil:
			r.line(piece)
		case errors.Is(err, bufio.ErrBufferFull):
			if err := r.longLine(piece); err != nil {
				return ignoreEOF(err)
			}
		default:
			return ignoreEOF(err)
		}
	}
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// line passes on a line with its newline.
func (r *reader) line(line []byte) {
	r.lines.Line(r.at, line[:len(line)-1])
	r.keep(line)
	r.at += int64(len(line))
}

// keep remembers the beginning and the end of what was read.
func (r *reader) keep(piece []byte) {
	r.head = append(r.head, piece[:min(len(piece), headSize-len(r.head))]...)
	if len(piece) < tailSize {
		r.tail = append(r.tail[max(0, len(r.tail)+len(piece)-tailSize):], piece...)
		return
	}
	r.tail = append(r.tail[:0], piece[len(piece)-tailSize:]...)
}

// longLine reads the rest of a line that begins with a whole chunk. Its length is found first, so that memory is taken once, or
// not at all. A line that does not end leaves no trace.
func (r *reader) longLine(first []byte) error {
	before, length := slices.Clone(r.tail), int64(len(first))
	r.keep(first)
	for more := true; more; {
		piece, err := r.in.ReadSlice('\n')
		if more = errors.Is(err, bufio.ErrBufferFull); err != nil && !more {
			r.tail = before
			return err
		}
		r.keep(piece)
		length += int64(len(piece))
	}
	if length > MaxLine {
		r.lines.PassedOver(r.at, length)
	} else {
		line := make([]byte, length-1)
		if n, err := r.file.ReadAt(line, r.at); n < len(line) {
			return fmt.Errorf("reading a line again: %w", err) // the file was cut meanwhile
		}
		r.lines.Line(r.at, line)
	}
	r.at += length
	return nil
}
