package logging

import (
	"fmt"
	"io"
	"sync"
)

// A File is where a logger writes. It keeps in mind what was lost, which its loggers do not tell. It is safe for
// concurrent use.
type File struct {
	mu   sync.Mutex
	out  io.WriteCloser // nil: there is no file
	lost int            // records in a row
	err  error          // of the last of them
}

// A LostError means that records are lost.
type LostError struct {
	Records int // since the last that was written
	Err     error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("the log cannot be written: %v (%d records are lost)", e.Err, e.Records)
}

func (e *LostError) Unwrap() error { return e.Err }

// Write writes one record.
func (f *File) Write(record []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.out.Write(record)
	if f.err = err; err == nil {
		f.lost = 0
	} else {
		f.lost++
	}
	return n, err
}

// Trouble returns a *LostError while records are lost, and nil again when one has been written.
func (f *File) Trouble() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		return nil
	}
	return &LostError{f.lost, f.err}
}

// Close closes the file.
func (f *File) Close() error {
	if f.out == nil {
		return nil
	}
	return f.out.Close()
}
