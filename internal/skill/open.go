package skill

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tidepool/internal/wording"
)

// open opens a directory below a base, one name after the other, and follows no link. create makes directories that are missing. The
// caller closes the result. The error is fs.ErrNotExist if a directory is missing.
func open(base string, names []string, create bool) (*os.Root, error) {
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		next, err := step(root, name, filepath.Join(append([]string{base}, names[:i+1]...)...), create)
		if err = errors.Join(err, root.Close()); err != nil {
			return nil, err
		}
		root = next
	}
	return root, nil
}

// step opens a directory in another one. path is for messages.
func step(root *os.Root, name, path string, create bool) (*os.Root, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("making a directory: %w", err)
		}
		info, err = root.Lstat(name)
	}
	if err != nil {
		return nil, err
	}
	if why := foreign(info, true); why != "" {
		return nil, &Error{wording.Visible(path) + " is not used: " + why, "look what it is, and make a directory in its place"}
	}
	next, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(changedError(wording.Visible(path)), err, next.Close())
	}
	return next, nil
}

// foreign returns why an entry is not used: it is no file, or no directory, of this user; "" if it is one.
func foreign(info fs.FileInfo, dir bool) string {
	stat, known := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return "it is a link"
	case known && int(stat.Uid) != os.Geteuid():
		return "it belongs to another user"
	case dir && !mode.IsDir():
		return "it is no directory"
	case !dir && mode.IsDir():
		return "it is a directory"
	case !dir && !mode.IsRegular():
		return "it is no regular file but a pipe, a socket or a device"
	}
	return ""
}

// read returns the content of a file in a directory, and its description.
func read(root *os.Root, name string) (string, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return "", nil, err
	}
	if why := foreign(info, false); why != "" {
		return "", nil, errors.New(why)
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		return "", nil, errors.Join(errors.New("it is being replaced"), err)
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return "", nil, err
	}
	if len(data) > MaxFile {
		return "", nil, fmt.Errorf("it is larger than %d bytes", MaxFile)
	}
	return string(data), info, nil
}

// reason returns an error without the operation and the path.
func reason(err error) string {
	if path, is := errors.AsType[*fs.PathError](err); is {
		return path.Err.Error()
	}
	return strings.TrimSpace(err.Error())
}
