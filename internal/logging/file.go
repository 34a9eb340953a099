package logging

import (
	"fmt"
	"io"
	"sync"
)

// A File is the file of a logger. It remembers write errors, which loggers do not report. It is safe for concurrent use.
type File struct {
	mu   sync.Mutex
	out  io.WriteCloser // nil: there is no file
	lost int            // consecutive lost records
	err  error          // of the last of them
}

// A LostError means that records could not be written.
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

// Trouble returns a *LostError if the last record could not be written, else nil.
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
