package policyfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tidepool/internal/policy"
	"tidepool/internal/state"
	"tidepool/internal/wording"
)

// Bounds of a directory.
const (
	maxFile  = 1 << 20 // bytes
	maxFiles = 100
)

// A Dir is a directory with policy files, which are called *.json and are read in the order of their names.
type Dir struct {
	Level    policy.Level
	Path     string // absolute
	Optional bool   // it need not exist
}

// A RefusedError means that a file or directory cannot be used as it is.
type RefusedError struct{ path, what, advice string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s cannot be used: %s", wording.Visible(e.path), e.what)
}

// Hint says what to do.
func (e *RefusedError) Hint() string { return e.advice }

// A found file is an entry of a directory.
type found struct {
	path string
	info fs.FileInfo
	read func() ([]byte, error)
}

// open returns the files of the directory, by name, until close is called. The error is fs.ErrNotExist if there is no directory.
func (d Dir) open() (files []found, close func() error, err error) {
	if d.Level == policy.Project {
		return d.openState()
	}
	if _, err := os.Lstat(d.Path); err != nil {
		return nil, nil, err
	}
	if err := d.checkPath(); err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		return nil, nil, err
	}
	files, err = d.list(root)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return files, root.Close, nil
}

// openState opens a directory below .tidepool, whose owner and links package state checks.
func (d Dir) openState() (files []found, close func() error, err error) {
	dir, err := state.OpenDir(d.Path)
	if err != nil {
		return nil, nil, err
	}
	names, err := dir.List()
	if err != nil {
		return nil, nil, errors.Join(err, dir.Close())
	}
	for _, entry := range names {
		if !wanted(entry.Name()) {
			continue
		}
		file := dir.File(entry.Name())
		info, err := file.Stat()
		if err != nil {
			continue // it is gone
		}
		files = append(files, found{file.Path(), info, func() ([]byte, error) { return file.Read(maxFile) }})
	}
	return files, dir.Close, d.few(files)
}

func wanted(name string) bool {
	return strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".")
}

func (d Dir) few(files []found) error {
	if len(files) > maxFiles {
		return &RefusedError{d.Path, fmt.Sprintf("it has %d files, and %d are read at most", len(files), maxFiles), "put their policies into fewer files"}
	}
	return nil
}

func (d Dir) list(root *os.Root) ([]found, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var files []found
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(d.Path, e.Name())
		if !wanted(name) {
			continue
		}
		info, err := root.Lstat(name)
		if err != nil {
			continue // it is gone
		}
		files = append(files, found{path, info, func() ([]byte, error) { return d.read(root, name, path) }})
	}
	slices.SortFunc(files, func(a, b found) int { return strings.Compare(a.path, b.path) })
	return files, d.few(files)
}

// read reads a file that is no link. What is checked is the opened file.
func (d Dir) read(root *os.Root, name, path string) ([]byte, error) {
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &RefusedError{path, "it is a symbolic link", "put the file itself there"}
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &RefusedError{path, "it is no regular file", "remove it, or rename it"}
	case info.Size() > maxFile:
		return nil, &RefusedError{path, fmt.Sprintf("it has %d bytes, and %d are read at most", info.Size(), maxFile), "split it"}
	}
	if err := d.checkOwner(path, info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}
