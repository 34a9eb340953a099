package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"tidepool/internal/state"
)

// name is the name of the file that is appended to.
const name = "audit.jsonl"

// Options configure New.
type Options struct {
	MaxBytes int64 // of a file; 0: 16 MB
	Keep     int   // full files that are kept; 0: 8
}

// A Log appends entries. It is safe for concurrent use; one process has at most one Log of a directory.
type Log struct {
	dir     *state.Dir
	options Options

	mu   sync.Mutex
	last fs.FileInfo // the file after the latest Append; nil: it must be read
	n    int64       // of the last entry
	head string      // hash of the last line
}

// New returns the Log of a state directory. It opens nothing; the caller closes dir after the last Append.
func New(dir *state.Dir, o Options) *Log {
	if o.MaxBytes == 0 {
		o.MaxBytes = 16 << 20
	}
	if o.Keep == 0 {
		o.Keep = 8
	}
	return &Log{dir: dir, options: o}
}

// Append writes an entry behind the others. If it fails, the file is as it was.
func (l *Log) Append(e Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.append(e); err != nil {
		l.last = nil
		return fmt.Errorf("writing the audit log: %w", err)
	}
	return nil
}

func (l *Log) append(e Entry) error {
	file, err := l.open(&e)
	if err != nil {
		return err
	}
	line, err := Line{l.n + 1, e, l.head}.encode()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if l.last.Size()+int64(len(line)) >= l.options.MaxBytes && l.last.Size() > 0 {
		if err := errors.Join(file.Close(), l.rotate()); err != nil {
			return err
		}
		if file, err = l.open(&e); err != nil {
			return err
		}
	}
	if _, err := file.Write(append(line, '\n')); err != nil { // the disk is full, perhaps after a part of it
		return errors.Join(err, file.Truncate(l.last.Size()), file.Close())
	}
	l.n, l.head = l.n+1, hash(line)
	l.last, err = file.Stat()
	return errors.Join(err, file.Close())
}

// open opens the file. If it is not as the last Append has left it, open reads where the chain ends.
func (l *Log) open(e *Entry) (*os.File, error) {
	file, err := l.dir.File(name).Append()
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && (l.last == nil || !os.SameFile(l.last, info) || l.last.Size() != info.Size()) {
		err = l.resume(file, info, e)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// resume finds the end of the chain, and removes an unfinished line.
func (l *Log) resume(file *os.File, info fs.FileInfo, e *Entry) error {
	end, err := l.endOf(name)
	if err == nil && end.torn > 0 {
		e.Torn = end.torn
		if err = file.Truncate(info.Size() - int64(end.torn)); err == nil {
			info, err = file.Stat()
		}
	}
	if err == nil && end.lines == 0 {
		end, err = l.endOfFull()
	}
	if err != nil {
		return err
	}
	l.n, l.head, l.last = end.n, end.head, info
	return nil
}

// endOfFull returns where the newest full file ends.
func (l *Log) endOfFull() (ending, error) {
	full, err := fullFiles(l.dir)
	if err != nil || len(full) == 0 {
		return ending{}, err
	}
	return l.endOf(full[len(full)-1])
}

// An ending is what stands at the end of a file.
type ending struct {
	lines int    // that were read, at the end
	n     int64  // of the last one
	head  string // hash of the last one
	torn  int    // bytes behind the last line feed
}

// endOf reads the end of a file. A last line that is no entry has the number that follows from those before.
func (l *Log) endOf(name string) (end ending, err error) {
	file, err := l.dir.File(name).Open(os.O_RDONLY)
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return end, err
	}
	tail := make([]byte, min(info.Size(), 2*maxLine))
	if _, err := file.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return end, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	end.torn = len(tail) - whole
	for line := range bytes.Lines(tail[:whole]) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		var l Line
		if json.Unmarshal(line, &l) == nil && l.N > 0 {
			end.n = l.N
		} else {
			end.n++
		}
		end.lines++
		end.head = hash(line)
	}
	return end, nil
}
