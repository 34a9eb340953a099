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

// A File is a file of state, which need not exist yet.
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

// Path is the absolute path of the file, for people.
func (f *File) Path() string {
	return filepath.Join(f.dir.Path(), f.name)
}

// Name is the name of the file in its directory.
func (f *File) Name() string { return f.name }

// Dir is the directory of the file.
func (f *File) Dir() *Dir { return f.dir }

func (f *File) below() string { return filepath.Join(f.dir.below, f.name) }

// Stat describes what has the name, whatever it is.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := f.dir.check(); err != nil {
		return nil, err
	}
	return f.dir.root.Lstat(f.below())
}

// writes are the flags of os.OpenFile with which a file can change.
const writes = os.O_WRONLY | os.O_RDWR | os.O_APPEND

// attempts is how often a file is opened that another process is replacing meanwhile.
const attempts = 100

// Open opens the file with flags of os.OpenFile, without following a link or opening a pipe or a device. os.O_CREATE
// makes it for this user alone, but not its directory. The error is a *RefusedError if it is not a regular file of this
// user, or has another name elsewhere and is to be written.
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

// checkFile refuses what is not a regular file of this user. Root's is as good to read: root needs no file to have a way.
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

// Read returns what the file holds, a *TooLargeError if that is more than limit bytes.
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

// Append opens the file for writing at its end, and makes it, with its directory, if need be.
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

// Replace makes data all that the file holds, and its directory if need be. A reader sees the old file or the new one;
// whatever had the name before is not written to.
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

// beside makes a new file that will take the place of f.
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

// abandoned reports whether an entry is such a file of a process that was killed.
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

// Remove removes the file; whatever else has its name is refused. That there is none is fine.
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

// Rename gives the file another name in its directory, and takes it from what had it.
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

// SetAside renames a file that cannot be used, so that a new one can begin, and returns its new path. The one that was
// set aside before is gone.
func (f *File) SetAside() (path string, err error) {
	if err := f.Rename(f.name + Unreadable); err != nil {
		return "", err
	}
	return f.Path() + Unreadable, nil
}
