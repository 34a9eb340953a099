package tail

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io"
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

// Read reads complete lines from a place on, and returns the place behind the last one. It ends at the last newline that the file
// had when it began, or behind the line that completes limit bytes; limit 0: no limit. A partial line at the end waits. The
// memory that it takes is that of the longest line, MaxLine at most. With an error nothing counts that was given to the lines.
func (f *File) Read(from Place, limit int64, to Lines) (Place, error) {
	if err := f.refresh(); err != nil {
		return Place{}, err
	}
	r := reader{lines: to, at: from.Offset, end: from.Offset + limit}
	r.in = bufio.NewReaderSize(io.NewSectionReader(f.file, from.Offset, max(0, f.Size-from.Offset)), chunk)
	if err := r.read(limit > 0); err != nil {
		return Place{}, err
	}
	return f.place(from, r)
}

// chunk is how many bytes are read at once.
const chunk = 256 << 10

// A reader splits a part of a file into lines.
type reader struct {
	in      *bufio.Reader
	lines   Lines
	at      int64  // behind the last complete line
	end     int64  // where reading may stop
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

// keep remembers the end of what was read.
func (r *reader) keep(piece []byte) {
	if len(piece) < tailSize {
		r.tail = append(r.tail[max(0, len(r.tail)+len(piece)-tailSize):], piece...)
		return
	}
	r.tail = append(r.tail[:0], piece[len(piece)-tailSize:]...)
}

// longLine reads the rest of a line that begins with a whole chunk: into memory, or past it. A line that does not end leaves no
// trace.
func (r *reader) longLine(first []byte) error {
	before := append([]byte(nil), r.tail...)
	line, length := append([]byte(nil), first...), int64(len(first))
	r.keep(first)
	for {
		piece, err := r.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			r.tail = before
			return err
		}
		r.keep(piece)
		length += int64(len(piece))
		if length <= MaxLine {
			line = append(line, piece...)
		} else {
			line = nil
		}
		if err == nil {
			break
		}
	}
	if length > MaxLine {
		r.lines.PassedOver(r.at, length)
	} else {
		r.lines.Line(r.at, line[:len(line)-1])
	}
	r.at += length
	return nil
}

// place returns where a reader has come to. The hash of the end is that of the bytes which were read: if the file was replaced
// meanwhile, the next comparison shows it.
func (f *File) place(from Place, r reader) (Place, error) {
	p := Place{Device: f.Device, Inode: f.Inode, Size: f.Size, ModTime: f.ModTime, Offset: r.at, Head: from.Head, Tail: from.Tail}
	if r.stopped {
		p.Size = p.Offset // there is more, which Unchanged must show
	}
	if r.at == from.Offset {
		return p, nil
	}
	var err error
	if from.Offset < headSize {
		p.Head, err = f.sum(0, min(p.Offset, headSize))
	}
	if missing := min(p.Offset, tailSize) - int64(len(r.tail)); missing > 0 && err == nil {
		p.Tail, err = f.sum(max(0, p.Offset-tailSize), min(p.Offset, tailSize))
	} else {
		sum := sha256.Sum256(r.tail)
		p.Tail = sum[:]
	}
	if err != nil {
		return Place{}, err
	}
	return p, nil
}
