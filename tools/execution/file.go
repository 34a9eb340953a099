package execution

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxFile is the largest file that is read or appended to, in bytes.
const maxFile = 16 << 20

// readFile returns the content of a regular file in a directory, and what it was opened as. path is for messages.
func readFile(dir *os.Root, name, path string) (data []byte, info fs.FileInfo, err error) {
	info, err = dir.Lstat(name)
	if err != nil {
		return nil, nil, notThere(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, info, notRegular(dir, name, path, info)
	}
	file, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that has come meanwhile does not block
	if err != nil {
		return nil, info, notThere(path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, info, errors.Join(&refusedError{shownPath(path) + " is being replaced", "try again"}, err)
	}
	if data, err = io.ReadAll(io.LimitReader(file, maxFile+1)); err != nil {
		return nil, info, fmt.Errorf("reading %s: %w", shownPath(path), err)
	}
	if len(data) > maxFile {
		return nil, info, &refusedError{fmt.Sprintf("%s is larger than %d MB", shownPath(path), maxFile>>20), "read a part of it with safe_bash: sed -n 1,200p"}
	}
	return data, info, nil
}

// isBinary reports whether a file is no text: it has a NUL near its beginning, as git decides.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// hashOf returns what safe_write compares a file with, 12 hex digits.
func (t *Toolset) hashOf(data []byte) string {
	sum := hmac.New(sha256.New, t.hashKey())
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// replaceFile replaces a file by one with data, or makes it: a reader sees the old one or the new one. The mode is that of the old file.
func replaceFile(dir *os.Root, name string, data []byte, old fs.FileInfo) (err error) {
	next := "." + name + ".tidepool.next"
	if len(next) > 255 {
		next = ".tidepool.next"
	}
	file, err := dir.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) { // of a process that was killed: files are replaced one at a time
		if err := dir.Remove(next); err != nil {
			return err
		}
		file, err = dir.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && old != nil {
		err = file.Chmod(old.Mode().Perm())
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = dir.Rename(next, name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(next))
	}
	return nil
}
