package netfs

import "golang.org/x/sys/unix"

// smb2 is the number of SMB 2 and 3 in linux/magic.h, which unix does not have.
const smb2 = 0xfe534d42

// Is reports whether a directory is on a network file system. What is not known counts as local.
func Is(dir string) bool {
	var stat unix.Statfs_t
	if unix.Statfs(dir, &stat) != nil {
		return false
	}
	switch uint32(stat.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, smb2, unix.V9FS_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC,
		unix.CODA_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.NCP_SUPER_MAGIC:
		return true
	}
	return false
}
