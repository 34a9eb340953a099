package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tidepool/internal/netfs"
)

// makePrivate makes the file and its directory, or closes those that are there to other users.
func makePrivate(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := checkDir(dir); err != nil {
		return err
	}
	err := checkFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return create(path)
	}
	return err
}

// checkPrivate checks a file and its directory. The error is fs.ErrNotExist if one is missing.
func checkPrivate(path string) error {
	if err := checkDir(filepath.Dir(path)); err != nil {
		return err
	}
	return checkFile(path)
}

func checkDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &RefusedError{dir, "it is a link or no directory"}
	}
	if err := own(dir, info, 0o700); err != nil {
		return err
	}
	if netfs.Is(dir) {
		return &NetworkError{dir}
	}
	return nil
}

func checkFile(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &RefusedError{path, "it is a link or no regular file"}
	}
	return own(path, info, 0o600)
}

// own refuses what belongs to another user, and closes it to others if need be.
func own(path string, info fs.FileInfo, mode fs.FileMode) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &RefusedError{path, "the system does not tell who owns it"}
	}
	if uid := int(stat.Uid); uid != os.Geteuid() {
		return &RefusedError{path, fmt.Sprintf("it belongs to user %d", uid)}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(path, mode) // nobody else can have replaced it by a link: the directory is ours
	}
	return nil
}

// create makes an empty file. Closing it releases all locks that this process has on it, so it is never one that exists.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return checkFile(path)
	}
	if err != nil {
		return err
	}
	return f.Close()
}
