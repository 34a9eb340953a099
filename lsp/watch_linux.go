package lsp

import "golang.org/x/sys/unix"

// A watch tells whether anything has happened in a set of directories since it was last asked. The kernel
// queues an event before the system call that caused it returns, so a change that was made before the question
// is never missed. It says nothing of symbolic and hard links to files elsewhere, of writes through mmap, and of
// other hosts. The nil watch knows nothing. Not safe for concurrent use.
type watch struct {
	fd     int
	events []byte
}

const watchMask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_MOVED_FROM |
	unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// newWatch returns nil if the directory is on a file system whose changes the kernel may not see, or there
// are too many watches on this machine.
func newWatch(dir string) *watch {
	var system unix.Statfs_t
	if unix.Statfs(dir, &system) != nil {
		return nil
	}
	switch int64(system.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
	default:
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	return &watch{fd: fd, events: make([]byte, 64<<10)}
}

// add watches a directory as well, and says whether it could.
func (w *watch) add(dir string) bool {
	if w == nil {
		return false
	}
	_, err := unix.InotifyAddWatch(w.fd, dir, watchMask)
	return err == nil
}

// quiet says that nothing has happened.
func (w *watch) quiet() bool {
	if w == nil {
		return false
	}
	for events := 0; ; events++ {
		if n, err := unix.Read(w.fd, w.events); n <= 0 {
			return events == 0 && err == unix.EAGAIN
		}
	}
}

func (w *watch) close() {
	if w != nil {
		unix.Close(w.fd)
	}
}
