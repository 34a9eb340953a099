package training

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
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
func (s *Store) Append(records []Record) (err error) {
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
	file, err := os.OpenFile(s.path(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("recording examples: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(lines.Bytes())
	return err
}

func (s *Store) makeRoom(n int64) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(s.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size()+n > cmp.Or(s.Max, 16<<20):
		return os.Rename(s.path(), s.before())
	}
	return nil
}

// Records reads what the store has, the oldest first. broken counts the lines that
// are none: the last one may have been cut off.
func (s *Store) Records() (records []Record, broken int, err error) {
	for _, path := range []string{s.before(), s.path()} {
		more, bad, err := read(path)
		if err != nil {
			return nil, 0, err
		}
		records, broken = append(records, more...), broken+bad
	}
	return records, broken, nil
}

func read(path string) (records []Record, broken int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading examples: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
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
