package training

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"tidepool/internal/state"
)

// maxRecord bounds one record that is read, in bytes.
const maxRecord = 1 << 20

// A Store keeps records in a directory, which is made with the first of them. It
// is safe for concurrent use by one process.
type Store struct {
	Dir string
	// Max bounds the file that is written to, in bytes; 0: 16 MiB. When it is full it
	// takes the place of the one before it.
	Max int64

	mu sync.Mutex
}

func (s *Store) path() string   { return filepath.Join(s.Dir, "examples.jsonl") }
func (s *Store) before() string { return filepath.Join(s.Dir, "examples.1.jsonl") }

// Append adds records, all or none. Only the user can read them: they hold source
// code.
func (s *Store) Append(records []Record) error {
	if len(records) == 0 {
		return nil
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("recording an example: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.makeRoom(int64(lines.Len())); err != nil {
		return fmt.Errorf("recording examples: %w", err)
	}
	err := state.Within(s.path(), func(f *state.File) error { return f.AppendAll(lines.Bytes()) })
	if err != nil {
		return fmt.Errorf("recording examples: %w", err)
	}
	return nil
}

// makeRoom gives the file another name if n bytes more would be too many.
func (s *Store) makeRoom(n int64) error {
	return state.Within(s.path(), func(f *state.File) error {
		info, err := f.Stat()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Size()+n > s.max():
			return f.Rename(filepath.Base(s.before()))
		}
		return nil
	})
}

func (s *Store) max() int64 { return cmp.Or(s.Max, 16<<20) }

// Records reads what the store has, the oldest first. broken counts the lines that
// are none: the last one may have been cut off.
func (s *Store) Records() (records []Record, broken int, err error) {
	for _, path := range []string{s.before(), s.path()} {
		more, bad, err := s.read(path)
		if err != nil {
			return nil, 0, err
		}
		records, broken = append(records, more...), broken+bad
	}
	return records, broken, nil
}

func (s *Store) read(path string) (records []Record, broken int, err error) {
	var data []byte
	err = state.Within(path, func(f *state.File) error {
		data, err = f.Read(s.max() + maxRecord)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading examples: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxRecord)
	for lines.Scan() {
		var r Record
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.Node.Location == "" {
			broken++
			continue
		}
		records = append(records, r)
	}
	if err := lines.Err(); err != nil {
		return nil, 0, fmt.Errorf("reading %s: %w", path, err)
	}
	return records, broken, nil
}
