//go:build unix

package disk

import "golang.org/x/sys/unix"

// stat follows symbolic links. It says whether there is anything that we may look at.
func stat(path string) (node, bool) {
	var info unix.Stat_t
	for {
		switch err := unix.Stat(path, &info); err {
		case nil:
			return node{
				modified: info.Mtim.Nano(),
				changed:  info.Ctim.Nano(),
				inode:    uint64(info.Ino),
				device:   uint64(info.Dev),
				size:     int64(info.Size),
				dir:      info.Mode&unix.S_IFMT == unix.S_IFDIR,
			}, true
		case unix.EINTR:
		default:
			return node{}, false
		}
	}
}
