package disk

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A Watch tells in which folders something has happened since it was last asked. The kernel queues an event before
// the system call that caused it returns, so a change that was made before the question is never missed. It says
// nothing of symbolic and hard links to files elsewhere (Disk looks at the former itself), of writes through mmap, and of other hosts. The nil Watch
// knows nothing. Not safe for concurrent use, except for add and Stirred.
type Watch struct {
	fd      int
	file    *os.File // of fd, for those who wait
	device  uint64   // on which the top is
	events  []byte
	folders map[int32]*folder // by the kernel's id
	left    []int32           // of folders that are gone
}

const watchMask = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// newWatch returns nil if the directory is on a file system whose changes the kernel may not see, or there
// are too many watches on this machine.
func newWatch(dir string) *Watch {
	info, there := stat(dir)
	if !there || !local(dir) {
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	return &Watch{
		fd:      fd,
		file:    os.NewFile(uintptr(fd), "inotify"),
		device:  info.device,
		events:  make([]byte, 64<<10),
		folders: map[int32]*folder{},
	}
}

// local reports whether this kernel makes, and so sees, all changes of the file system that a directory is on.
func local(dir string) bool {
	var system unix.Statfs_t
	if unix.Statfs(dir, &system) != nil {
		return false
	}
	switch int64(system.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

// add watches a directory as well. It returns the id of the watch, and whether the directory needs no more: one that
// we must not read has nothing to watch for.
func (w *Watch) add(dir string, device uint64) (id int32, ok bool) {
	if device != w.device && !local(dir) {
		return 0, false
	}
	made, err := unix.InotifyAddWatch(w.fd, dir, watchMask)
	switch {
	case err == nil:
		return int32(made), true
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return 0, true
	}
	return 0, false
}

// enter says which folder a watch is of.
func (w *Watch) enter(f *folder) {
	if f.id != 0 {
		w.folders[f.id] = f
	}
}

// leave lets go of a folder that is gone.
func (w *Watch) leave(f *folder) {
	if w != nil && f.id != 0 {
		w.left = append(w.left, f.id)
	}
}

// clean ends the watches of folders that are gone, once it is known which directories are other folders now.
func (w *Watch) clean() {
	if w == nil {
		return
	}
	for _, id := range w.left {
		if f := w.folders[id]; f != nil && f.gone {
			delete(w.folders, id)
			unix.InotifyRmWatch(w.fd, uint32(id)) // it may have ended with the directory
		}
	}
	w.left = nil
}

// drain returns the folders in which something has happened. sure is false if there may be more of them.
func (w *Watch) drain() (stirred []*folder, sure bool) {
	if w == nil {
		return nil, false
	}
	sure = true
	for {
		n, err := unix.Read(w.fd, w.events)
		if n <= 0 {
			return stirred, sure && err == unix.EAGAIN
		}
		for at := 0; at+unix.SizeofInotifyEvent <= n; {
			id, mask, name := w.event(at)
			at += unix.SizeofInotifyEvent + name
			sure = sure && mask&(unix.IN_Q_OVERFLOW|unix.IN_UNMOUNT) == 0
			f := w.folders[id]
			if f == nil || f.gone {
				continue
			}
			if mask&unix.IN_IGNORED != 0 { // the directory is gone, perhaps to be made again
				delete(w.folders, id)
				f.id = 0
			}
			stirred = append(stirred, f)
		}
	}
}

// event decodes the one that begins there: the id of the watch, what has happened, and the length of a name.
func (w *Watch) event(at int) (id int32, mask uint32, name int) {
	word := func(n int) uint32 { return binary.NativeEndian.Uint32(w.events[at+4*n:]) }
	return int32(word(0)), word(1), int(word(3))
}

// Bounds of how long a burst of changes is waited out.
const (
	settleTime = 50 * time.Millisecond // without a change
	settleMost = 10                    // times that
)

// Stirred waits until something has happened that no walk has seen, and then for the end of the burst that it
// may be a part of, or for a walk. It returns false when the watch is given up and when ctx has ended.
func (w *Watch) Stirred(ctx context.Context) bool {
	if w == nil {
		return false
	}
	defer context.AfterFunc(ctx, func() { w.file.SetReadDeadline(time.Unix(1, 0)) })()
	conn, err := w.file.SyscallConn()
	if err != nil || conn.Read(func(fd uintptr) bool { return waiting(fd) > 0 }) != nil {
		return false
	}
	before, now := 0, -1
	for i := 0; i < settleMost && now != before; i++ {
		select {
		case <-time.After(settleTime):
		case <-ctx.Done():
			return false
		}
		before = now
		if conn.Control(func(fd uintptr) { now = waiting(fd) }) != nil {
			return false
		}
	}
	return true
}

// waiting returns how many bytes of events wait to be drained.
func waiting(fd uintptr) int {
	n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

func (w *Watch) close() {
	if w != nil {
		w.file.Close()
	}
}
