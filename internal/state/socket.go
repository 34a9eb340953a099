package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Directory returns the directory as an open file, for socket addresses relative to it. The caller closes it.
func (d *Dir) Directory() (*os.File, error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(".")
}

// RemoveSocket removes the socket of that name, and nothing else.
func (d *Dir) RemoveSocket(name string) error {
	if err := d.checkSocket(name); err != nil {
		return err
	}
	return d.root.Remove(d.File(name).below())
}

// CloseSocketToOthers gives the socket of that name mode 0600.
func (d *Dir) CloseSocketToOthers(name string) error {
	if err := d.checkSocket(name); err != nil {
		return err
	}
	return d.root.Chmod(d.File(name).below(), 0o600)
}

func (d *Dir) checkSocket(name string) error {
	f := d.File(name)
	info, err := f.Stat()
	if err == nil && info.Mode().Type() != fs.ModeSocket {
		err = &RefusedError{f.Path(), "it is no socket", "move it away"}
	}
	return err
}

// Dialable refuses a socket in a state directory if the socket or the directory is a symbolic link: what listens elsewhere is
// not this project's daemon and must not receive what a session does. It does not check sockets that the user has named
// elsewhere. It costs two system calls and no memory, since each hook calls it.
func Dialable(socket string) error {
	dir := filepath.Dir(socket)
	if filepath.Base(dir) != Name {
		return nil
	}
	for _, path := range [...]string{dir, socket} {
		var is syscall.Stat_t
		if syscall.Lstat(path, &is) == nil && is.Mode&syscall.S_IFMT == syscall.S_IFLNK {
			return &RefusedError{path, "it is a symbolic link", "remove it: " + Removal(path, false)}
		}
	}
	return nil
}
