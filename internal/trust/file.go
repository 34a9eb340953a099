package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const (
	fileName  = "trusted.json"
	lockName  = "trusted.lock"
	newName   = "trusted.json.new" // under the lock; one that a killed writer has left is written over
	maxRecord = 1 << 20            // bytes: some four thousand projects
)

// A RecordError means that the record cannot be used.
type RecordError struct {
	Path string
	Err  error
}

func (e *RecordError) Error() string {
	return "the record of trusted projects cannot be used: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *RecordError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *RecordError) Hint() string {
	return "look at " + e.Path + ", remove it if you did not make it so, and run `agent trust` in the projects that you trust"
}

// File returns the path of the record.
func (s Store) File() string { return filepath.Join(s.Dir, fileName) }

// A content is the content of the file.
type content struct {
	Projects []Record `json:"projects"`
}

// read reads the record. A missing one is empty.
func (s Store) read() ([]Record, error) {
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	records, err := readFrom(root)
	if err != nil {
		return nil, &RecordError{s.File(), err}
	}
	return records, nil
}

func readFrom(root *os.Root) ([]Record, error) {
	f, err := open(root, fileName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = fmt.Errorf("%s is larger than %d bytes", fileName, maxRecord)
	}
	if err != nil {
		return nil, err
	}
	var c content
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("reading %s: %w", fileName, err)
	}
	return c.Projects, nil
}

// open opens a regular file of the user that nobody else can write. It follows no link.
func open(root *os.Root, name string, flag int) (*os.File, error) {
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link", name) // which a Root follows within its directory
	}
	f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err == nil {
		err = private(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// private refuses a file that somebody else owns or can write.
func private(name string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return errors.New("the system does not tell who owns " + name)
	case int(stat.Uid) != os.Geteuid():
		return &OwnerError{name, int(stat.Uid)}
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others can write %s (mode %#o)", name, info.Mode().Perm())
	}
	return nil
}

// root opens the directory.
func (s Store) root() (*os.Root, error) {
	info, err := os.Lstat(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", s.Dir)
	}
	if err == nil {
		err = private(s.Dir, info)
	}
	if err != nil {
		return nil, &RecordError{s.Dir, err}
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, &RecordError{s.Dir, err}
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		root.Close()
		return nil, &RecordError{s.Dir, fmt.Errorf("%s was replaced while it was opened", s.Dir)}
	}
	return root, nil
}

// change replaces the record by the result of edit. It waits for other writers.
func (s Store) change(edit func([]Record) []Record) error {
	if s.Dir == "" {
		return errNoPlace
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return &RecordError{s.Dir, err}
	}
	root, err := s.root()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := replace(root, edit); err != nil {
		return &RecordError{s.File(), err}
	}
	return nil
}

func replace(root *os.Root, edit func([]Record) []Record) error {
	lock, err := open(root, lockName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer lock.Close() // which releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("locking %s: %w", lockName, err)
	}
	records, err := readFrom(root)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(content{edit(records)}, "", "  ")
	if err != nil {
		return err
	}
	f, err := open(root, newName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(newName, fileName)
}
