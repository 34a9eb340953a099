//go:build linux

package escape

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A backup is a copy of a tree, from which restore makes the tree what it was. It writes only what has changed: ext4 takes long to make
// a file where thousands have just been removed.
type backup struct {
	kept, tree string
	files      map[string]stamp // of the tree, by path below it, when restore wrote them
}

// A stamp is what the kernel tells of a file. It changes with the file, since no command can set the change time.
type stamp struct {
	ino, nlink       uint64
	mode, uid, gid   uint32
	size             int64
	changed, written unix.Timespec
}

func stampOf(st *unix.Stat_t) stamp {
	return stamp{st.Ino, uint64(st.Nlink), st.Mode, st.Uid, st.Gid, st.Size, st.Ctim, st.Mtim}
}

// restore makes the tree what the copy is: contents, kinds, modes, owners and times. It follows no links.
func (b *backup) restore() error {
	if b.files == nil {
		b.files = map[string]stamp{}
	}
	return b.entry(".")
}

// entry restores what is at a path below the tree.
func (b *backup) entry(below string) error {
	var want, is unix.Stat_t
	if err := unix.Lstat(filepath.Join(b.kept, below), &want); err != nil {
		return err
	}
	path := filepath.Join(b.tree, below)
	err := unix.Lstat(path, &is)
	if err == nil && (is.Mode^want.Mode)&unix.S_IFMT == 0 {
		if want.Mode&unix.S_IFMT == unix.S_IFDIR {
			return b.directory(below, &want)
		}
		if was, ok := b.files[below]; ok && stampOf(&is) == was {
			return nil
		}
	}
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return err
	}
	if err := removeAll(path); err != nil {
		return err
	}
	switch want.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		return b.directory(below, &want)
	case unix.S_IFLNK:
		err = b.link(below)
	default:
		err = b.file(below)
	}
	return errors.Join(err, b.finish(below, &want))
}

// directory restores what is in a directory, which is there, and then the directory's own mode and times.
func (b *backup) directory(below string, want *unix.Stat_t) error {
	path := filepath.Join(b.tree, below)
	if err := unix.Chmod(path, want.Mode&0o7777|0o700); err != nil { // a command may have closed it
		return err
	}
	expected, err := os.ReadDir(filepath.Join(b.kept, below))
	if err != nil {
		return err
	}
	found, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	names := make(map[string]bool, len(expected))
	for _, e := range expected {
		names[e.Name()] = true
	}
	for _, e := range found {
		if names[e.Name()] {
			continue
		}
		if err := removeAll(filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	for _, e := range expected {
		if err := b.entry(filepath.Join(below, e.Name())); err != nil {
			return err
		}
	}
	return b.finish(below, want)
}

func (b *backup) link(below string) error {
	to, err := os.Readlink(filepath.Join(b.kept, below))
	if err != nil {
		return err
	}
	return os.Symlink(to, filepath.Join(b.tree, below))
}

func (b *backup) file(below string) error {
	content, err := os.ReadFile(filepath.Join(b.kept, below))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.tree, below), content, 0o600)
}

// finish gives an entry its owner, mode and times, and remembers what the kernel tells of it then.
func (b *backup) finish(below string, want *unix.Stat_t) error {
	path := filepath.Join(b.tree, below)
	if err := os.Lchown(path, int(want.Uid), int(want.Gid)); err != nil {
		return err
	}
	if want.Mode&unix.S_IFMT != unix.S_IFLNK {
		if err := unix.Chmod(path, want.Mode&0o7777); err != nil {
			return err
		}
	}
	times := []unix.Timespec{unix.NsecToTimespec(time.Now().UnixNano()), want.Mtim}
	if err := unix.UtimesNanoAt(unix.AT_FDCWD, path, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	var now unix.Stat_t
	if err := unix.Lstat(path, &now); err != nil {
		return err
	}
	if now.Mode&unix.S_IFMT != unix.S_IFDIR {
		b.files[below] = stampOf(&now)
	}
	return nil
}
