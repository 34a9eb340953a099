package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Name is the name of the state directory in a project.
const Name = ".tidepool"

// Commands is the name of the directory in a state directory whose contents confined commands make: links, pipes, whatever they
// like. The daemon mounts, moves and removes it, and opens nothing in it.
const Commands = "exec"

// A Dir is an open .tidepool, or a directory below it, which need not exist yet. Dirs made by Sub share the open directory; Close
// closes it for all of them. A Dir is safe for concurrent use.
type Dir struct {
	root  *os.Root
	top   string // absolute path of root, as it was opened
	named bool   // the user has named it: links to it and other owners are allowed
	below string // path of this directory below root; "." is root itself
}

// Of returns the path of a project's state directory.
func Of(project string) string { return filepath.Join(project, Name) }

// Open opens a state directory, which must belong to this user and be no link. The error is fs.ErrNotExist if there is
// none, and a *RefusedError if it cannot be used. The caller closes it.
func Open(path string) (*Dir, error) {
	found, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR) {
		return nil, refuseTop(path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the state directory: %w", err)
	}
	defer found.Close()
	info, err := found.Stat()
	if err != nil {
		return nil, fmt.Errorf("looking at the state directory: %w", err)
	}
	if uid, _ := owner(info); uid != os.Geteuid() {
		return nil, &RefusedError{path, fmt.Sprintf("it belongs to user %d", uid), "run as that user, or give the directory to yourself"}
	}
	d, err := At(path)
	if err != nil {
		return nil, err
	}
	d.named = false
	// OpenRoot follows links, so check that it opened the directory that was examined.
	if opened, err := d.root.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(refuseTop(path), err, d.Close())
	}
	return d, nil
}

func refuseTop(path string) error {
	return &RefusedError{path, "it is a symbolic link or not a directory", "remove it; it is made anew: " + Removal(path, false)}
}

// At opens the directory of a socket that the user has placed outside of the state directory. Its path may contain links, and the
// directory may belong to another user. Its entries must belong to this one.
func At(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{root: root, top: path, named: true, below: "."}, nil
}

// Around opens the directory of an absolute path, see OpenDir.
func Around(path string) (*Dir, error) { return OpenDir(filepath.Dir(path)) }

// OpenDir opens the directory at an absolute path. If that lies in a state directory, it is reached through that, see Open,
// and need not exist yet. Else it is reached as At does it, through the nearest directory that exists. The caller closes it.
func OpenDir(path string) (*Dir, error) {
	path = filepath.Clean(path)
	top, below := path, "."
	for filepath.Base(top) != Name && top != filepath.Dir(top) {
		top, below = filepath.Dir(top), filepath.Join(filepath.Base(top), below)
	}
	open := Open
	if filepath.Base(top) != Name {
		top, below, open = path, ".", At
		for top != filepath.Dir(top) && isMissing(top) {
			top, below = filepath.Dir(top), filepath.Join(filepath.Base(top), below)
		}
	}
	d, err := open(top)
	if err == nil {
		d.below = below
	}
	return d, err
}

func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Close closes what Open has opened, for all that Sub and File have made of it.
func (d *Dir) Close() error {
	return d.root.Close()
}

// Sub returns the directory of that name in this one. It neither makes nor examines it.
func (d *Dir) Sub(name string) *Dir {
	return &Dir{d.root, d.top, d.named, filepath.Join(d.below, only(name))}
}

// File returns the file of that name in this directory. It neither makes nor examines it.
func (d *Dir) File(name string) *File {
	return &File{d, only(name)}
}

// only returns name, or an impossible name if it is a path: a path could lead out of the directory.
func only(name string) string {
	if name != filepath.Base(name) || name == ".." {
		return "\x00" // which no system call accepts
	}
	return name
}

// Path returns the absolute path of the directory, for messages. Do not open it: it may lead elsewhere by now.
func (d *Dir) Path() string {
	return filepath.Join(d.top, d.below)
}

// Lasting returns the absolute path of the directory for another process that keeps files in it. It makes the directory if
// necessary, and checks that the path leads to it now, without a link of a clone. Links that come later are followed by that
// process.
func (d *Dir) Lasting() (string, error) {
	if err := d.Make(); err != nil {
		return "", err
	}
	return d.Path(), d.Here()
}

// Here returns nil if the path of the directory still leads to it. Otherwise it was removed, renamed or replaced, perhaps with
// the whole project.
func (d *Dir) Here() error {
	look := os.Lstat
	if d.named {
		look = os.Stat
	}
	now, err := look(d.top)
	if err != nil {
		return err
	}
	opened, err := d.root.Stat(".")
	if err != nil {
		return err
	}
	if !os.SameFile(now, opened) {
		return &RefusedError{d.top, "it was replaced", "start again"}
	}
	return d.check()
}

// check refuses a directory that is not one of this user, or is reached through one.
func (d *Dir) check() error {
	for at := d.below; at != "."; at = filepath.Dir(at) {
		info, err := d.root.Lstat(at)
		if err != nil {
			return err
		}
		if err := checkDir(filepath.Join(d.top, at), info); err != nil {
			return err
		}
	}
	return nil
}

func checkDir(path string, info fs.FileInfo) error {
	if !info.IsDir() {
		what := foreignKind(info.Mode())
		if what == "" {
			what = "a file, not a directory"
		}
		return &RefusedError{path, "it is " + what, "remove it: " + Removal(path, false)}
	}
	if uid, _ := owner(info); uid != os.Geteuid() {
		return &RefusedError{path, fmt.Sprintf("it belongs to user %d", uid), "remove it: " + Removal(path, true)}
	}
	return nil
}

func (d *Dir) above() *Dir { return &Dir{d.root, d.top, d.named, filepath.Dir(d.below)} }

// List returns the entries of the directory, by name. A directory that does not exist has none.
func (d *Dir) List() ([]fs.FileInfo, error) {
	sub, err := d.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	return list(sub)
}

// list returns the entries of a directory, by Lstat, sorted by name.
func list(root *os.Root) ([]fs.FileInfo, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]fs.FileInfo, 0, len(names))
	for _, name := range names {
		if info, err := root.Lstat(name); err == nil { // it may be gone
			all = append(all, info)
		}
	}
	return all, nil
}

// open opens the directory as a root.
func (d *Dir) open() (*os.Root, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return openRoot(d.root, d.below)
}

// openRoot opens a directory below another one without following a link.
func openRoot(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	sub, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := sub.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(&RefusedError{filepath.Join(root.Name(), name), "it was replaced", "try again"}, err, sub.Close())
	}
	return sub, nil
}

// Sync writes renames in the directory to the disk.
func (d *Dir) Sync() error {
	f, err := d.Directory()
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
