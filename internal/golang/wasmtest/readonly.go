package wasmtest

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	wasys "github.com/tetratelabs/wazero/sys"
)

// readOnly gives a guest read access to a directory. Links that lead out of it are not followed.
func readOnly(root *os.Root) sys.FS {
	return &sysfs.ReadFS{FS: &directory{sysfs.AdaptFS{FS: plain{root}}, root}}
}

// A directory is what is below a root, and its links.
type directory struct {
	sysfs.AdaptFS
	root *os.Root
}

// OpenFile opens a file or a directory to be read.
func (d *directory) OpenFile(path string, flag sys.Oflag, perm fs.FileMode) (sys.File, sys.Errno) {
	if flag&sys.O_NOFOLLOW != 0 {
		if info, err := d.root.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, sys.ELOOP
		}
	}
	return d.AdaptFS.OpenFile(path, flag, perm)
}

// Stat describes the file that a path leads to.
func (d *directory) Stat(path string) (wasys.Stat_t, sys.Errno) { return statOf(d.root.Stat(path)) }

// Lstat describes a file, or a link.
func (d *directory) Lstat(path string) (wasys.Stat_t, sys.Errno) { return statOf(d.root.Lstat(path)) }

// Readlink returns where a link leads to.
func (d *directory) Readlink(path string) (string, sys.Errno) {
	target, err := d.root.Readlink(path)
	return target, sys.UnwrapOSError(err)
}

func statOf(info fs.FileInfo, err error) (wasys.Stat_t, sys.Errno) {
	if err != nil {
		return wasys.Stat_t{}, sys.UnwrapOSError(err)
	}
	return wasys.NewStat_t(info), 0
}

// plain opens files and directories. It refuses others: a pipe would block its reader.
type plain struct{ root *os.Root }

// Open opens one to be read.
func (p plain) Open(name string) (fs.File, error) {
	f, err := p.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = fs.ErrPermission
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
