package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidepool/internal/state"
)

// isOwn reports whether a path lies in the state directory: config.json, and what files held before us. A clone may bring
// anything there, so package state alone opens it. All other files here are the user's, and links to them are followed.
func isOwn(path string) bool {
	return strings.Contains(path, string(filepath.Separator)+state.Name+string(filepath.Separator))
}

// lookOwn is look for a file in the state directory.
func lookOwn(path string) (found file, err error) {
	found.path = path
	err = state.Within(path, func(f *state.File) error {
		if found.info, err = f.Stat(); err == nil {
			found.data, err = f.Read(maxFile)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return file{path: path}, nil
	}
	return found, err
}

// stageOwn is stage for a file in the state directory.
func stageOwn(path string, data []byte) (s temporary, err error) {
	err = state.Within(path, func(f *state.File) error {
		name, err := f.Stage(data)
		s.path = filepath.Join(filepath.Dir(path), name)
		return err
	})
	return s, err
}

// rename puts one file in the place of another one in the same directory.
func rename(from, to string) error {
	if !isOwn(to) {
		return os.Rename(from, to)
	}
	return state.Within(from, func(f *state.File) error { return f.Rename(filepath.Base(to)) })
}

func remove(path string) error {
	if !isOwn(path) {
		return os.Remove(path)
	}
	return state.Within(path, (*state.File).Remove)
}

// makeDir makes the directory of a file, and reports whether it was not there.
func makeDir(file string, mode fs.FileMode) (made bool, err error) {
	dir := filepath.Dir(file)
	if !isOwn(file) {
		err := os.Mkdir(dir, mode)
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return err == nil, err
	}
	_, err = os.Lstat(dir)
	return errors.Is(err, fs.ErrNotExist), withinDir(dir, (*state.Dir).Make)
}

// removeDir removes a directory if it is empty.
func removeDir(dir string) error {
	if !isOwn(dir) {
		return os.Remove(dir)
	}
	return withinDir(dir, (*state.Dir).RemoveEmpty)
}

func withinDir(path string, use func(*state.Dir) error) error {
	dir, err := state.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(use(dir), dir.Close())
}
