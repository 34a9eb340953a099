package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tidepool/protocol"
)

// A file keeps a board: a JSON array of records, oldest first, mode 0600. The zero one keeps nothing.
type file struct{ path string }

func (f *file) load() ([]protocol.QuestionRecord, error) {
	if f.path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the questions: %w", err)
	}
	var records []protocol.QuestionRecord
	if err := json.Unmarshal(data, &records); err != nil {
		return nil, &DamagedError{Path: f.path, Err: err}
	}
	return records, nil
}

// save replaces the file as a whole: a reader sees the old board or the new one.
func (f *file) save(records []protocol.QuestionRecord) error {
	if f.path == "" {
		return nil
	}
	data, err := json.Marshal(records)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*") // 0600
	if err != nil {
		return fmt.Errorf("saving the questions: %w", err)
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	if err != nil {
		return fmt.Errorf("saving the questions: %w", errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}

// A DamagedError says that the file with the questions is no such file.
type DamagedError struct {
	Path string
	Err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s holds no questions: %v", e.Path, e.Err) }

// Unwrap is what is wrong with it.
func (e *DamagedError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *DamagedError) Hint() string {
	return "delete it: it holds answers that nobody waits for any more"
}
