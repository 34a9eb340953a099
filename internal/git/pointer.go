package git

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxPointer is the most that is read of a file which contains only a path, in bytes.
const maxPointer = 8 << 10

// PrivateDir returns the directory that .git in a worktree names where it is a file, as it is in linked worktrees and
// submodules; else "".
func PrivateDir(worktree string) string {
	private, _ := Pointer(filepath.Join(worktree, ".git"), "gitdir: ", worktree)
	return private
}

// Pointer reads a file of git that contains only a path behind a prefix, which may be relative to base.
func Pointer(file, prefix, base string) (path string, ok bool) {
	data, err := ReadRegular(file, maxPointer)
	if err != nil {
		return "", false
	}
	path, ok = strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if !ok || path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path), true
}

// ReadRegular reads a regular file, not through a link, of at most so many bytes.
func ReadRegular(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New(path + " is not a regular file")
	case info.Size() > limit:
		return nil, errors.New(path + " is too large")
	}
	return io.ReadAll(io.LimitReader(f, limit))
}
