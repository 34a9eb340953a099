package credential

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxFile bounds a file of secrets, in bytes.
const maxFile = 256 << 10

// readFile returns the text of a regular file; "" if there is none, or none that this user may read: no command of the session can print that
// either. It follows no link and waits for no pipe.
func readFile(path string) (string, error) {
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading secrets of %s: %w", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it has more than %d KB", maxFile>>10)
	}
	if err != nil {
		return "", fmt.Errorf("reading secrets of %s: %w", path, err)
	}
	return string(text), nil
}

// openRegular opens a regular file.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errors.New("it is a symbolic link, which is not followed")
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
