package netfs

import "golang.org/x/sys/unix"

// Is reports whether a directory is on a network file system. What is not known counts as local.
func Is(dir string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(dir, &stat) == nil && stat.Flags&unix.MNT_LOCAL == 0
}
