package tail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"tidepool/internal/transcript"
)

// A File is an open transcript. Its owner closes it.
type File struct {
	Transcript
	file *os.File
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// A RefusedError means that a file is not read, whatever it holds.
type RefusedError struct {
	Path string
	Why  string // without text of the file
}

func (e *RefusedError) Error() string { return fmt.Sprintf("%s is not read: %s", e.Path, e.Why) }

// Hint says what would help.
func (e *RefusedError) Hint() string {
	return "transcripts are regular files of your own below the directory of their program; links are not followed"
}

// Open opens the file at a path, which must be below a root, lead over no link, and be a regular file of this user. The error is
// fs.ErrNotExist if there is none, a *[RefusedError] if it is not read, and else one of the system's that may pass.
func (f *Finder) Open(path string) (*File, error) {
	r, rel, ok := f.below(path)
	if !ok {
		return nil, &RefusedError{path, "no program keeps its transcripts there"}
	}
	file, ok := r.source.File(rel)
	if !ok {
		return nil, &RefusedError{path, "its name is not that of a transcript"}
	}
	return open(filepath.Clean(path), r, rel, file)
}

func open(path string, r root, rel string, file transcript.File) (*File, error) {
	fd, err := openBelow(r.path, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		if why := lasting(err); why != "" {
			return nil, &RefusedError{path, why}
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	opened := os.NewFile(uintptr(fd), path)
	info, err := opened.Stat()
	if err == nil {
		if why := refusal(info); why != "" {
			err = &RefusedError{path, why}
		}
	}
	if err != nil {
		opened.Close()
		return nil, err
	}
	return &File{Transcript: transcriptOf(path, r.source, file, info), file: opened}, nil
}

// openBelow opens a file below a directory component by component, so that none of them can be a link, even one that replaces a
// directory meanwhile. The root itself may be one: it is the user's choice. A pipe does not hold it up.
func openBelow(root, rel string) (int, error) {
	const flags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK
	at, err := retry(func() (int, error) { return unix.Open(root, flags|unix.O_DIRECTORY, 0) })
	if err != nil {
		return -1, err
	}
	names := strings.Split(rel, "/")
	for i, name := range names {
		how := flags | unix.O_NOFOLLOW
		if i < len(names)-1 {
			how |= unix.O_DIRECTORY
		}
		next, err := retry(func() (int, error) { return unix.Openat(at, name, how, 0) })
		unix.Close(at)
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}

// retry repeats a call that a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		fd, err := call()
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// lasting says why the system does not open a file, if it will not later; "" if it may, such as for want of descriptors.
func lasting(err error) string {
	switch {
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR):
		return "a link, or no directory, is on the way to it"
	case errors.Is(err, fs.ErrPermission):
		return "this user may not read it"
	case errors.Is(err, unix.ENXIO):
		return "it is no regular file"
	}
	return ""
}

// refusal says why a file is not read; "" if nothing is wrong.
func refusal(info os.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "it is a link"
	case !info.Mode().IsRegular():
		return "it is no regular file"
	case !ok:
		return "the system does not tell who owns it"
	case int(stat.Uid) != os.Geteuid():
		return fmt.Sprintf("it belongs to user %d", stat.Uid)
	}
	return ""
}

// An identity is the same for a file under any name. It is given to another one once the file is deleted.
type identity struct{ device, inode uint64 }

func (t *Transcript) identity() identity { return identity{t.Device, t.Inode} }

func transcriptOf(path string, s transcript.Source, file transcript.File, info os.FileInfo) Transcript {
	t := Transcript{Path: path, Source: s, File: file, Size: info.Size(), ModTime: info.ModTime().Round(0)}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		t.Device, t.Inode = uint64(stat.Dev), stat.Ino
	}
	return t
}

// refresh takes the size and time of the file as they are now.
func (f *File) refresh() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	f.Size, f.ModTime = info.Size(), info.ModTime().Round(0)
	return nil
}
