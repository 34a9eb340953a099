package logging

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/state"
)

// A rotating file is renamed when it is full, and a new one begins. Some of the old ones are kept under names with the time. Only
// one goroutine at a time may write to it.
type rotating struct {
	path string
	max  int64 // bytes
	keep int   // older files

	file *os.File // nil: it could not be opened when the one before was full
	size int64    // bytes
}

// openRotating opens the file, and makes it readable by its user only.
func openRotating(o Options) (*rotating, error) {
	r := &rotating{path: o.File, max: int64(orDefault(o.MaxSizeMB, 10)) << 20, keep: orDefault(o.MaxFiles, 5)}
	return r, r.open()
}

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

func (r *rotating) open() error {
	return state.Within(r.path, func(f *state.File) error {
		file, err := f.Append()
		if err != nil {
			return err
		}
		info, err := file.Stat()
		if err = errors.Join(err, file.Chmod(0o600)); err != nil {
			return errors.Join(err, file.Close())
		}
		r.file, r.size = file, info.Size()
		return nil
	})
}

// Write writes one record, after a rotation if it does not fit. A record that cannot be written is lost.
func (r *rotating) Write(record []byte) (int, error) {
	if r.size > 0 && r.size+int64(len(record)) > r.max {
		if err := r.rotate(); err != nil {
			return 0, err
		}
	}
	if r.file == nil {
		if err := r.open(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Write(record)
	r.size += int64(n)
	return n, err
}

// rotate renames the file, unless somebody else has, and removes the oldest ones.
func (r *rotating) rotate() error {
	err := state.Within(r.path, func(f *state.File) error {
		older, err := rotations(r.path)
		if err != nil {
			return err
		}
		if err := f.Rename(r.rotated(older)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for i := 0; i <= len(older)-r.keep; i++ {
			_ = f.Dir().File(older[i]).Remove() // at the next time, then
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = r.Close()
	r.size = 0
	return err
}

// rotated returns a name that sorts after those of older files.
func (r *rotating) rotated(older []string) string {
	now := time.Now()
	for {
		prefix, extension := nameParts(r.path)
		name := prefix + now.UTC().Format(rotatedAt) + extension
		if len(older) == 0 || name > older[len(older)-1] {
			return name
		}
		now = now.Add(time.Millisecond)
	}
}

// rotatedAt is the time in the name of a rotated file, in UTC.
const rotatedAt = "2006-01-02T15-04-05.000"

// nameParts returns what stands before and after the time in the names of a log's rotated files.
func nameParts(path string) (prefix, extension string) {
	extension = filepath.Ext(path)
	return strings.TrimSuffix(filepath.Base(path), extension) + "-", extension
}

// rotations returns the names of the rotated files of a log, the oldest first. Others of the directory are not ours.
func rotations(path string) (found []string, err error) {
	prefix, extension := nameParts(path)
	err = state.Within(path, func(f *state.File) error {
		entries, err := f.Dir().List()
		for _, e := range entries { // sorted
			at, is := strings.CutPrefix(strings.TrimSuffix(e.Name(), extension), prefix)
			if _, bad := time.Parse(rotatedAt, at); is && bad == nil && strings.HasSuffix(e.Name(), extension) {
				found = append(found, e.Name())
			}
		}
		return err
	})
	return found, err
}

// Close closes the file.
func (r *rotating) Close() error {
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file = nil
	return file.Close()
}
