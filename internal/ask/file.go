package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"tidepool/internal/state"
	"tidepool/protocol"
)

// maxFile is the largest file of questions that is read, in bytes: far more than a Store writes.
const maxFile = 16 << 20

// A file contains the questions: a JSON array of records, oldest first, mode 0600. The zero file keeps nothing.
type file struct{ path string }

func (f *file) load() ([]protocol.QuestionRecord, error) {
	if f.path == "" {
		return nil, nil
	}
	var data []byte
	err := state.Within(f.path, func(kept *state.File) (err error) {
		data, err = kept.Read(maxFile)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if _, is := errors.AsType[*state.TooLargeError](err); is {
		return nil, &DamagedError{Path: f.path, Err: err}
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

// save replaces the file: a reader sees the old one or the new one.
func (f *file) save(records []protocol.QuestionRecord) error {
	if f.path == "" {
		return nil
	}
	data, err := json.Marshal(records)
	if err != nil {
		return err
	}
	if err := state.Within(f.path, func(kept *state.File) error { return kept.Replace(data) }); err != nil {
		return fmt.Errorf("saving the questions: %w", err)
	}
	return nil
}

// A DamagedError means that the file does not contain questions.
type DamagedError struct {
	Path string
	Err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s holds no questions: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *DamagedError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *DamagedError) Hint() string {
	return "delete it: it holds answers that nobody waits for any more"
}
