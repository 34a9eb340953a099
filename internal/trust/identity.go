package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An Identity identifies the directory that consent is bound to.
type Identity struct {
	Path   string `json:"path"`   // resolved: of a repository's common directory, or of a project without one
	Device uint64 `json:"device"` // as stat(2) has it
	Inode  uint64 `json:"inode"`
	Born   int64  `json:"born,omitempty"` // birth time, in nanoseconds since 1970; 0: the file system has none
}

// is reports whether two identities are of the same directory. If the birth times are known, the device does not count: some
// file systems, such as btrfs, have another device number after each boot.
func (i Identity) is(other Identity) bool {
	if i.Path != other.Path || i.Inode != other.Inode || i.Born != other.Born {
		return false
	}
	return i.Born != 0 || i.Device == other.Device
}

// An OwnerError means that a file or directory belongs to another user.
type OwnerError struct {
	Path string
	UID  int
}

func (e *OwnerError) Error() string { return fmt.Sprintf("%s belongs to user %d", e.Path, e.UID) }

// Hint says what to do.
func (*OwnerError) Hint() string { return "give it to yourself if you trust what is in it" }

// Identify returns the identity of a directory, which must not be a link.
func Identify(dir string) (Identity, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return Identity{}, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() {
		return Identity{}, fmt.Errorf("%s is not a directory", dir)
	}
	return Identity{Path: dir, Device: uint64(stat.Dev), Inode: stat.Ino, Born: birthTime(dir, stat)}, nil
}

// owned refuses what belongs to neither the user nor root. Root needs no file to do harm.
func owned(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.New("the system does not tell who owns " + path)
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && uid != 0 {
		return &OwnerError{path, uid}
	}
	return nil
}

// identities returns the identities of which any makes a directory trusted. Consent is recorded for the first: the repository
// around the directory. Without a repository it is the directory itself, followed by the directories above it.
func (s Store) identities(dir string) ([]Identity, error) {
	dir, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	var all []Identity
	for at := dir; !s.wide(at); at = filepath.Dir(at) {
		common, found, err := commonOf(at)
		if err != nil {
			return nil, err
		}
		if common != "" {
			id, err := Identify(common)
			return []Identity{id}, err
		}
		id, err := Identify(at)
		if err != nil {
			return nil, err
		}
		if all = append(all, id); found {
			break // it stands for itself, whatever it names
		}
	}
	if len(all) == 0 {
		return nil, &WideError{dir}
	}
	return all, nil
}

// A WideError means that a directory contains too much to be a project, such as the home directory.
type WideError struct{ Dir string }

func (e *WideError) Error() string {
	return e.Dir + " is no project to trust: everything that is ever downloaded may lie below it"
}

// Hint says what to do.
func (*WideError) Hint() string { return "name the directory of one project" }

// wide reports whether a directory may contain everything, so that it counts neither as a project nor as a repository.
func (s Store) wide(dir string) bool {
	return dir == filepath.Dir(dir) || s.Home != "" && dir == s.Home
}

// resolve returns the path of a directory without links.
func resolve(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return dir, err
}
