package protocol

import (
	"bufio"
	"errors"
	"io"
)

// MaxLine is the longest line either side accepts, in bytes without its
// newline: 16 MiB.
const MaxLine = 16 << 20

// ErrLineTooLong is returned for a line longer than [MaxLine]. The rest of the
// line has been skipped, so the next ReadLine returns the line after it.
var ErrLineTooLong = errors.New("line is longer than 16 MiB")

// A Reader splits a stream into lines. It is not safe for concurrent use.
type Reader struct {
	r    *bufio.Reader
	long []byte // lines that do not fit bufio's buffer are gathered here
}

// NewReader returns a Reader with a buffer of 4 KiB that grows only for the
// line that needs it.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReader(r)}
}

// Peek returns the next byte without consuming it.
func (r *Reader) Peek() (byte, error) {
	b, err := r.r.Peek(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// Buffered reports whether more input has already been read, so that the next
// ReadLine may not have to wait.
func (r *Reader) Buffered() bool { return r.r.Buffered() > 0 }

// Read reads what follows the lines that have been read: a connection may go on
// in another framing.
func (r *Reader) Read(p []byte) (int, error) { return r.r.Read(p) }

// ReadLine returns the next line without its newline. The bytes are valid
// until the next call. At the end of the stream it returns io.EOF; if the
// stream ends inside a line, that line and io.ErrUnexpectedEOF. Any other
// error is [ErrLineTooLong] or the stream's own.
func (r *Reader) ReadLine() ([]byte, error) {
	chunk, err := r.r.ReadSlice('\n')
	if err == nil {
		return chunk[:len(chunk)-1], nil
	}
	if cap(r.long) > 1<<20 {
		r.long = nil // do not keep megabytes for the life of a connection
	}
	r.long = append(r.long[:0], chunk...)
	for err == bufio.ErrBufferFull {
		chunk, err = r.r.ReadSlice('\n')
		if len(r.long)+len(chunk) > MaxLine+1 {
			return nil, r.skip(err)
		}
		r.long = append(r.long, chunk...)
	}
	switch {
	case err == nil:
		return r.long[:len(r.long)-1], nil
	case err == io.EOF && len(r.long) > 0:
		return r.long, io.ErrUnexpectedEOF
	}
	return nil, err
}

// skip discards the rest of a line that is too long; err is what the last
// read of it returned.
func (r *Reader) skip(err error) error {
	r.long = nil
	for err == bufio.ErrBufferFull {
		_, err = r.r.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return err
	}
	return ErrLineTooLong
}
