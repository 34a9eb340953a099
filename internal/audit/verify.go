package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"tidepool/internal/state"
)

// A Report is what Verify has found.
type Report struct {
	Entries     int
	First, Last int64  // numbers of entries; 0: there are none
	Head        string // hash of the last line
	Unfinished  int    // bytes behind the last line: it is being written, or a crash has cut it off
}

// A BrokenError means that the chain does not hold.
type BrokenError struct {
	File string // its name
	Line int    // in the file, from 1
	Why  string
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("the audit log is broken: %s, line %d: %s", e.File, e.Line, e.Why)
}

// Hint says what that means.
func (e *BrokenError) Hint() string {
	return "somebody has changed, added or removed a line there; to begin a new log, move the files .tidepool/audit*.jsonl elsewhere"
}

// Verify checks the chain of a state directory, from the oldest entry that is kept to the newest, and calls visit, unless it is nil, with
// each line. The error is a *BrokenError if the chain does not hold, and else what visit has returned.
func Verify(dir *state.Dir, visit func(Line) error) (report Report, err error) {
	files, err := openAll(dir)
	defer func() {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
	}()
	if err != nil {
		return report, fmt.Errorf("reading the audit log: %w", err)
	}
	v := &verifier{visit: visit}
	for _, f := range files {
		if err := v.file(f); err != nil {
			return v.report, err
		}
	}
	return v.report, nil
}

// attempts is how often the files are opened anew because one has become full meanwhile.
const attempts = 100

// openAll opens the files of a log, the oldest first. No file has become full between the opening of the first and of the last one.
func openAll(dir *state.Dir) (files []*os.File, err error) {
	for range attempts {
		full, err := fullFiles(dir)
		if err != nil {
			return nil, err
		}
		if files, err = openEach(dir, append(full, name)); err != nil {
			return files, err
		}
		if now, err := fullFiles(dir); err != nil || slices.Equal(now, full) {
			return files, err
		}
		for _, f := range files {
			if err := f.Close(); err != nil {
				return nil, err
			}
		}
	}
	return nil, errors.New("its files become full all the time")
}

// openEach opens the files of these names that exist.
func openEach(dir *state.Dir, names []string) (files []*os.File, err error) {
	for _, name := range names {
		f, err := dir.File(name).Open(os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// A verifier follows the chain.
type verifier struct {
	visit  func(Line) error
	report Report
}

// file checks the lines of a file.
func (v *verifier) file(f *os.File) error {
	name := filepath.Base(f.Name())
	lines := bufio.NewReaderSize(f, maxLine)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			v.report.Unfinished = len(line)
			return nil
		}
		if err == bufio.ErrBufferFull {
			return &BrokenError{name, number, fmt.Sprintf("it has more than %d bytes", maxLine)}
		}
		if err != nil {
			return fmt.Errorf("reading the audit log: %w", err)
		}
		if v.report.Unfinished > 0 {
			return &BrokenError{name, number, "the file before ends within a line"}
		}
		if err := v.line(name, number, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
	}
}

// line checks a line against the one before.
func (v *verifier) line(file string, number int, line []byte) error {
	var l Line
	if err := json.Unmarshal(line, &l); err != nil || l.N < 1 {
		return &BrokenError{file, number, "it is no entry"}
	}
	switch r := &v.report; {
	case r.Entries > 0 && l.N != r.Last+1:
		return &BrokenError{file, number, fmt.Sprintf("entry %d follows entry %d", l.N, r.Last)}
	case r.Entries > 0 && l.Before != r.Head:
		return &BrokenError{file, number, "the line before is another one than when this one was written"}
	case l.N == 1 && l.Before != "":
		return &BrokenError{file, number, "it is the first entry, and names one before"}
	case r.Entries == 0:
		r.First = l.N
	}
	v.report.Entries++
	v.report.Last, v.report.Head = l.N, hash(line)
	if v.visit == nil {
		return nil
	}
	return v.visit(l)
}
