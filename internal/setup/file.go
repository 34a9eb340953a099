package setup

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"tidepool/internal/state"
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
	if isOwn(path) {
		return lookOwn(path)
	}
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

// A temporary file is locked for as long as it is needed, so that those of a process that was killed are known. The zero
// one is none.
type temporary struct {
	path string
	lock *os.File // nil: in the state directory
}

// discard removes the file, unless it has been renamed.
func (t temporary) discard() {
	if t.path != "" {
		_ = remove(t.path)
	}
	if t.lock != nil {
		t.lock.Close()
	}
}

// stage writes data to a new file beside path, on the disk for good, with the mode and the owner of like, or with mode
// if like is nil. The caller renames or discards it.
func stage(path string, data []byte, like fs.FileInfo, mode fs.FileMode) (temporary, error) {
	if isOwn(path) {
		return stageOwn(path, data)
	}
	name := filepath.Join(filepath.Dir(path), stagedPrefix(path)+rand.Text())
	if like != nil {
		mode = 0o600 // until it is known to be no more open than what it replaces
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return temporary{}, err
	}
	t := temporary{name, f}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // where there are no locks, nobody sweeps
	_, err = f.Write(data)
	if err == nil && like != nil {
		err = takeAfter(f, like)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		t.discard()
		return temporary{}, fmt.Errorf("writing beside %s: %w", path, err)
	}
	return t, nil
}

func stagedPrefix(path string) string { return "." + filepath.Base(path) + "." }

// randomText matches what rand.Text returns.
var randomText = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// sweep removes what a process that was killed has left beside a file.
func sweep(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, entry := range entries {
		text, is := strings.CutPrefix(entry.Name(), stagedPrefix(path))
		if is && randomText.MatchString(text) && entry.Type().IsRegular() {
			removeUnlocked(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
}

// removeUnlocked removes a temporary file of this user that no process holds.
func removeUnlocked(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
		return
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(path)
	}
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
	if isOwn(dir + string(filepath.Separator)) {
		return withinDir(dir, (*state.Dir).Sync)
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
