package logging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tidepool/internal/state"
)

// followEvery is the interval in which Follow checks the log.
const followEvery = 200 * time.Millisecond

// Follow calls emit with each line that is written to the log at path after a position, until ctx ends, which is no error, or
// emit fails. It continues through rotations, and waits for a file that does not exist yet. Lines come without their newlines,
// and emit must not keep them.
func Follow(ctx context.Context, path string, from Position, emit func(line []byte) error) error {
	f := follower{path: path, emit: emit}
	defer f.close()
	if err := f.resume(from); err != nil {
		return fmt.Errorf("following the log: %w", err)
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if err := f.look(); err != nil {
			return fmt.Errorf("following the log: %w", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// A follower reads the present log file, and after a rotation the next one.
type follower struct {
	path   string
	emit   func([]byte) error
	file   *os.File // nil: none yet
	info   fs.FileInfo
	offset int64
	rest   []byte // of a line that is not finished
}

// resume opens the file of a position. If that has been rotated away, the next lines are in the next file.
func (f *follower) resume(from Position) error {
	if from.file == nil {
		return nil
	}
	now, err := lookAt(f.path)
	if err != nil || !os.SameFile(now, from.file) {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	f.offset = from.offset
	return nil
}

// look emits the new lines, to the end of the present log file.
func (f *follower) look() error {
	for {
		now, err := lookAt(f.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := f.drain(); err != nil { // after the look at the path: a file that was replaced has all its lines
			return err
		}
		if now == nil || f.file != nil && os.SameFile(now, f.info) {
			return nil
		}
		f.close()
		if err := f.open(); err != nil {
			return err
		}
		if f.file == nil {
			return nil
		}
	}
}

// maxLine bounds an unfinished line of the log, in bytes. Of a longer one only the end is emitted.
const maxLine = 16 << 20

// lookAt describes what has the name of the log.
func lookAt(path string) (info fs.FileInfo, err error) {
	err = state.Within(path, func(f *state.File) error {
		info, err = f.Stat()
		return err
	})
	return info, err
}

// open opens the present log file, if there is one.
func (f *follower) open() error {
	file, err := openToRead(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if f.info, err = file.Stat(); err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.offset, f.rest = file, 0, nil
	return nil
}

// drain emits the finished lines up to the end of the file.
func (f *follower) drain() error {
	if f.file == nil {
		return nil
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < f.offset { // somebody emptied it
		f.offset, f.rest = 0, nil
	}
	block := make([]byte, 32<<10)
	for {
		n, err := f.file.ReadAt(block, f.offset)
		f.offset += int64(n)
		lines, rest := splitLines(append(f.rest, block[:n]...))
		for _, line := range lines {
			if err := f.emit(line); err != nil {
				return err
			}
		}
		if f.rest = append([]byte(nil), rest...); len(rest) > maxLine {
			f.rest = nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (f *follower) close() {
	if f.file != nil {
		_ = f.file.Close()
		f.file = nil
	}
}
