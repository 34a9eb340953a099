package logging

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tidepool/internal/state"
)

// A Position is a place in the log, between two lines. The zero value is the beginning of the next file.
type Position struct {
	file   fs.FileInfo
	offset int64
}

// Tail returns the last n lines of the log at path, the oldest first, and their end. If the present file has fewer, it reads the
// rotated ones, too. The error is fs.ErrNotExist if there is no file at all.
func Tail(path string, n int) ([][]byte, Position, error) {
	lines, end, err := tailOf(path, n)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, end, fmt.Errorf("reading the log: %w", err)
	}
	rotated, listErr := rotations(path)
	if errors.Is(listErr, fs.ErrNotExist) { // not even the state directory
		listErr = nil
	}
	if listErr != nil || err != nil && rotated == nil {
		return nil, end, fmt.Errorf("reading the log: %w", errors.Join(err, listErr))
	}
	for _, older := range slices.Backward(rotated) {
		if len(lines) >= n {
			break
		}
		more, at, err := tailOf(filepath.Join(filepath.Dir(path), older), n-len(lines))
		if err != nil || end.file != nil && os.SameFile(at.file, end.file) {
			continue // it was removed, or has just been rotated and is what was read first
		}
		lines = append(more, lines...)
	}
	return lines, end, nil
}

// maxTail bounds what is read of one file, in bytes, however few lines there are in it.
const maxTail = 64 << 20

// openToRead opens a log, which the caller closes.
func openToRead(path string) (file *os.File, err error) {
	err = state.Within(path, func(f *state.File) error {
		file, err = f.Open(os.O_RDONLY)
		return err
	})
	return file, err
}

// tailOf is Tail for one file. It leaves out a last line without a newline, which is unfinished.
func tailOf(path string, n int) (lines [][]byte, end Position, err error) {
	f, err := openToRead(path)
	if err != nil {
		return nil, end, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, end, err
	}
	size := info.Size()
	for window := int64(64 << 10); ; window *= 4 {
		start := max(0, size-window)
		data, err := io.ReadAll(io.NewSectionReader(f, start, size-start))
		if err != nil {
			return nil, end, err
		}
		lines, rest := splitLines(data)
		if start > 0 && len(lines) > 0 {
			lines = lines[1:] // begins before the window
		}
		if start == 0 || len(lines) >= n || window >= maxTail {
			return lines[max(0, len(lines)-n):], Position{info, size - int64(len(rest))}, nil
		}
	}
}

// splitLines returns the lines of data without their newlines, and what comes after the last one.
func splitLines(data []byte) (lines [][]byte, rest []byte) {
	for {
		line, after, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return lines, data
		}
		lines, data = append(lines, line), after
	}
}
