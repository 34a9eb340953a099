package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of what is kept of protected files during a command at Partial. With more, nothing runs.
const (
	maxSaved      = 32 << 20 // bytes
	maxSavedFiles = 20_000
)

// A saved entry is a protected file, directory or link as it was before a command.
type saved struct {
	path    string
	mode    fs.FileMode
	content []byte // of a file; of a link its target
	names   []string
	opened  bool // a directory whose contents may change
}

// save keeps what is at these paths and below; of the directories in opened only that they are directories. The objects of submodules do not
// count: git checks them.
func save(paths, opened []string) ([]saved, error) {
	var all []saved
	size := 0
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if e.IsDir() && slices.Contains(strings.Fields("objects refs logs lfs"), e.Name()) {
				return filepath.SkipDir
			}
			if e.IsDir() && slices.Contains(opened, path) {
				all = append(all, saved{path: path, mode: fs.ModeDir | 0o755, opened: true})
				return filepath.SkipDir
			}
			f, err := saveOne(path)
			if err != nil {
				return err
			}
			all = append(all, f)
			if size += len(f.content); size > maxSaved || len(all) > maxSavedFiles {
				return fmt.Errorf("the protected files in %s are too many to keep during a command", path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// saveOne keeps one entry. Pipes, devices and sockets are kept by their kind alone.
func saveOne(path string) (saved, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return saved{}, err
	}
	f := saved{path: path, mode: info.Mode()}
	switch {
	case f.mode.IsRegular() && info.Size() <= maxSaved:
		f.content, err = os.ReadFile(path)
	case f.mode.IsRegular():
		err = fmt.Errorf("%s is too large to keep during a command", path)
	case f.mode&fs.ModeSymlink != 0:
		var target string
		target, err = os.Readlink(path)
		f.content = []byte(target)
	case f.mode.IsDir():
		var entries []os.DirEntry
		entries, err = os.ReadDir(path)
		for _, e := range entries {
			f.names = append(f.names, e.Name())
		}
	}
	return f, err
}

// putBack compares an entry with what is there now. Another one is moved away and made anew; of a directory what was added is moved away.
func (f saved) putBack(h *holder) {
	now, err := saveOne(f.path)
	if err == nil && f.opened && now.mode.IsDir() {
		return
	}
	if err == nil && now.mode == f.mode && bytes.Equal(now.content, f.content) {
		for _, name := range now.names {
			if !slices.Contains(f.names, name) {
				h.hold(filepath.Join(f.path, name))
			}
		}
		return
	}
	if !errors.Is(err, fs.ErrNotExist) && now.mode.Type() != f.mode.Type() || !f.mode.IsDir() {
		h.hold(f.path)
	}
	h.restore(f.path, func(below string) error {
		switch {
		case f.mode.IsDir():
			if err := h.root.MkdirAll(below, 0o700); err != nil {
				return err
			}
		case f.mode&fs.ModeSymlink != 0:
			return h.root.Symlink(string(f.content), below)
		case f.mode.IsRegular():
			if err := h.root.WriteFile(below, f.content, 0o600); err != nil {
				return err
			}
		default:
			return errors.New("it is no regular file")
		}
		return h.root.Chmod(below, f.mode.Perm())
	})
}
