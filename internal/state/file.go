package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A File is a file in a state directory. It need not exist yet.
type File struct {
	dir  *Dir
	name string
}

// Within calls use with the file at an absolute path, whose directory is opened by [OpenDir] until use returns.
func Within(path string, use func(*File) error) error {
	dir, err := Around(path)
	if err != nil {
		return err
	}
	err = use(dir.File(filepath.Base(path)))
	if closing := dir.Close(); err == nil {
		err = closing
	}
	return err
}

// Path returns the absolute path of the file, for messages.
func (f *File) Path() string {
	return filepath.Join(f.dir.Path(), f.name)
}

// Name returns the name of the file in its directory.
func (f *File) Name() string { return f.name }

// Dir returns the directory of the file.
func (f *File) Dir() *Dir { return f.dir }

func (f *File) below() string { return filepath.Join(f.dir.below, f.name) }

// Stat describes the entry of that name, of whatever kind, by Lstat.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := f.dir.check(); err != nil {
		return nil, err
	}
	return f.dir.root.Lstat(f.below())
}

// writes are the flags of os.OpenFile for writing.
const writes = os.O_WRONLY | os.O_RDWR | os.O_APPEND

// attempts is how often a file is opened that another process is replacing meanwhile.
const attempts = 100

// Open opens the file with flags of os.OpenFile, without following a link or opening a pipe or a device. os.O_CREATE
// makes it with mode 0600, but not its directory. The error is a *RefusedError if it is not a regular file of this user, or if
// it is opened for writing and has another hard link.
func (f *File) Open(flag int) (*os.File, error) {
	if err := f.dir.check(); err != nil {
		return nil, err
	}
	root, path := f.dir.root, f.below()
	for range attempts {
		info, err := root.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
			file, err := root.OpenFile(path, flag|os.O_EXCL, 0o600)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return file, err
		}
		if err != nil {
			return nil, err
		}
		if err := checkFile(f.Path(), info, flag&writes != 0); err != nil {
			return nil, err
		}
		file, err := root.OpenFile(path, flag&^os.O_CREATE|syscall.O_NONBLOCK, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if opened, err := file.Stat(); err == nil && os.SameFile(info, opened) {
			return file, nil
		}
		file.Close()
	}
	return nil, &RefusedError{f.Path(), "it is being replaced all the time", "find out by what"}
}

const hardLink = "it is the same file as another one (a hard link)"

// checkFile refuses all but regular files of this user. A file of root may be read: root needs no file to do harm.
func checkFile(path string, info fs.FileInfo, write bool) error {
	advice := "remove it: " + Removal(path, info.IsDir())
	uid, links := owner(info)
	switch what := foreignKind(info.Mode()); {
	case what != "":
		return &RefusedError{path, "it is " + what, advice}
	case info.IsDir():
		return &RefusedError{path, "it is a directory, not a file", advice}
	case uid != os.Geteuid() && (write || uid != 0):
		return &RefusedError{path, fmt.Sprintf("it belongs to user %d", uid), advice}
	case write && links != 1:
		return &RefusedError{path, hardLink, advice}
	}
	return nil
}

// Read returns the file's content. The error is a *TooLargeError if that is more than limit bytes.
func (f *File) Read(limit int64) ([]byte, error) {
	file, err := f.Open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &TooLargeError{f.Path(), info.Size(), limit}
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit { // it has grown
		err = &TooLargeError{f.Path(), int64(len(data)), limit}
	}
	return data, err
}

// Append opens the file for writing at its end. It makes the file and its directory if necessary.
func (f *File) Append() (*os.File, error) {
	if err := f.dir.Make(); err != nil {
		return nil, err
	}
	return f.Open(os.O_WRONLY | os.O_APPEND | os.O_CREATE)
}

// AppendAll writes data at the end of the file.
func (f *File) AppendAll(data []byte) error {
	file, err := f.Append()
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// Replace replaces the file by one with data, and makes its directory if necessary. A reader sees the old file or the new one.
// The old file is not written to.
func (f *File) Replace(data []byte) error {
	if err := f.dir.Make(); err != nil {
		return err
	}
	next, err := f.write(data, func(*os.File) error { return nil })
	if err != nil {
		return err
	}
	if err := f.dir.root.Rename(next, f.below()); err != nil {
		return errors.Join(err, f.dir.root.Remove(next))
	}
	return nil
}

// Stage writes data to a new file beside this one, on the disk for good, and returns its name. The caller renames or removes
// it.
func (f *File) Stage(data []byte) (name string, err error) {
	next, err := f.write(data, (*os.File).Sync)
	return filepath.Base(next), err
}

// write makes a new file with data beside this one. A failure leaves none.
func (f *File) write(data []byte, finish func(*os.File) error) (path string, err error) {
	path, file, err := f.beside()
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = finish(file)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, f.dir.root.Remove(path))
	}
	return path, nil
}

// beside makes a new file that is going to replace f.
func (f *File) beside() (path string, file *os.File, err error) {
	for range attempts {
		unique := strconv.FormatInt(int64(os.Getpid()), 36) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
		path = filepath.Join(f.dir.below, f.name+"."+unique+temporary)
		file, err = f.dir.root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return path, file, err
		}
	}
	return "", nil, err
}

// temporary ends the names of files that are to replace others.
const temporary = ".next"

// abandoned reports whether an entry is a temporary file of a process that was killed.
func abandoned(info fs.FileInfo) bool {
	name, is := strings.CutSuffix(info.Name(), temporary)
	pid, at, split := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "-")
	return is && split && isBase36(pid) && isBase36(at) && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour
}

func isBase36(text string) bool {
	_, err := strconv.ParseInt(text, 36, 64)
	return err == nil
}

// CloseToOthers gives the file mode 0600.
func (f *File) CloseToOthers() error {
	file, err := f.Open(os.O_WRONLY)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o600), file.Close())
}

// Remove removes the file. It refuses an entry of another kind. It is no error if there is none.
func (f *File) Remove() error {
	info, err := f.Stat()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := checkFile(f.Path(), info, false); err != nil {
		return err
	}
	return f.dir.root.Remove(f.below())
}

// Rename renames the file within its directory, and replaces a file of that name.
func (f *File) Rename(name string) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkFile(f.Path(), info, false); err != nil {
		return err
	}
	return f.dir.root.Rename(f.below(), f.dir.File(name).below())
}

// Unreadable ends the name of a file that was set aside.
const Unreadable = ".unreadable"

// SetAside renames a file that cannot be used, so that a new one can be written, and returns its new path. It replaces one that
// was set aside before.
func (f *File) SetAside() (path string, err error) {
	if err := f.Rename(f.name + Unreadable); err != nil {
		return "", err
	}
	return f.Path() + Unreadable, nil
}
