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
	r     *bufio.Reader
	long  []byte               // the latest line, if it does not fit bufio's buffer
	admit func(size int) error // nil admits every line

	gathered bool // the latest line is in long
}

// ShortLine is the size in bytes up to which a Reader does not ask its limit,
// and the largest buffer that it keeps for the next line: 32 KiB.
const ShortLine = 32 << 10

// NewReader returns a Reader with a buffer of 4 KiB that grows only for the
// line that needs it.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReader(r)}
}

// LimitBy makes the Reader call admit before it holds more than [ShortLine] bytes
// of one line, and again before each larger step. size is the number of bytes
// that it is going to hold for the line, at most MaxLine+1. If admit returns an
// error, ReadLine skips the rest of the line and returns the error.
func (r *Reader) LimitBy(admit func(size int) error) { r.admit = admit }

// Release gives the buffer of the latest line to the caller: its bytes stay
// valid. It reports false, and does nothing, for a line that shares its buffer
// with others.
func (r *Reader) Release() bool {
	if !r.gathered {
		return false
	}
	r.long, r.gathered = nil, false
	return true
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

// Read reads the bytes after the lines that have been read, for a connection that
// continues in another framing.
func (r *Reader) Read(p []byte) (int, error) { return r.r.Read(p) }

// ReadLine returns the next line without its newline. The bytes are valid
// until the next call, or after [Reader.Release] for good. At the end of the
// stream it returns io.EOF; if the stream ends inside a line, that line and
// io.ErrUnexpectedEOF. Any other error is [ErrLineTooLong], that of
// [Reader.LimitBy] or the stream's own.
func (r *Reader) ReadLine() ([]byte, error) {
	if r.gathered = false; cap(r.long) > ShortLine {
		r.long = nil // the next line may come much later
	}
	chunk, err := r.r.ReadSlice('\n')
	if err == nil {
		return chunk[:len(chunk)-1], nil
	}
	r.gathered = true
	r.long = append(r.long[:0], chunk...)
	for err == bufio.ErrBufferFull {
		chunk, err = r.r.ReadSlice('\n')
		if full := r.grow(len(chunk)); full != nil {
			return nil, r.skip(err, full)
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

// grow makes room for n more bytes of the line, in few and large steps: append
// would leave behind four times 16 MiB on its way there.
func (r *Reader) grow(n int) error {
	need := len(r.long) + n
	switch {
	case need > MaxLine+1:
		return ErrLineTooLong
	case need <= cap(r.long):
		return nil
	}
	size := ShortLine
	for size < need {
		if size *= 8; size >= MaxLine {
			size = MaxLine + 1
		}
	}
	if size > ShortLine && r.admit != nil {
		if err := r.admit(size); err != nil {
			return err
		}
	}
	r.long = append(make([]byte, 0, size), r.long...)
	return nil
}

// skip discards the rest of a line and returns the reason. err is the error of
// the line's last read.
func (r *Reader) skip(err, reason error) error {
	r.long, r.gathered = nil, false
	for err == bufio.ErrBufferFull {
		_, err = r.r.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return err
	}
	return reason
}
