package setup

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxFile bounds a settings file, in bytes.
const maxFile = 16 << 20

// A file is what stands at a path.
type file struct {
	path string      // where symbolic links lead
	link bool        // a symbolic link led there
	data []byte      // nil if there is no file
	info fs.FileInfo // nil if there is no file
}

func (f file) exists() bool { return f.info != nil }

// look reads the regular file at path, or finds that there is none.
func look(path string) (file, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return file{}, &FileError{Path: path, Problem: "a symbolic link that leads nowhere", hint: "remove it, or make what it names"}
		}
		return file{path: path}, nil
	}
	if err != nil {
		return file{}, fmt.Errorf("following %s: %w", path, err)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return file{}, err
	case !info.Mode().IsRegular():
		return file{}, &FileError{Path: path, Problem: "not a file", hint: "move it out of the way"}
	case info.Size() > maxFile:
		return file{}, &FileError{Path: path, Problem: fmt.Sprintf("%d bytes are too many for settings", info.Size()), hint: "look what it is"}
	}
	data, err := os.ReadFile(target)
	if err != nil {
		return file{}, err
	}
	named, err := os.Lstat(path)
	return file{target, err == nil && named.Mode()&fs.ModeSymlink != 0, data, info}, err
}

// stage writes data to a new file beside path, on the disk for good, with the mode and the owner of like, or with mode
// if like is nil. The caller renames or removes it.
func stage(path string, data []byte, like fs.FileInfo, mode fs.FileMode) (temporary string, err error) {
	temporary = filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	if like != nil {
		mode = 0o600 // until it is known to be no more open than what it replaces
	}
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil && like != nil {
		err = takeAfter(f, like)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(temporary)
		return "", fmt.Errorf("writing beside %s: %w", path, err)
	}
	return temporary, nil
}

// takeAfter gives f the mode and the owner of like.
func takeAfter(f *os.File, like fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	is, want := now.Sys().(*syscall.Stat_t), like.Sys().(*syscall.Stat_t)
	if is.Uid != want.Uid || is.Gid != want.Gid {
		if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
			return fmt.Errorf("keeping the owner: %w", err)
		}
	}
	return f.Chmod(like.Mode().Perm())
}

// syncDir makes renames in dir last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
