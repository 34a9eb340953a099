package wasmtest

import (
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/tetratelabs/wazero/experimental/sys"
	wasys "github.com/tetratelabs/wazero/sys"
)

// A handle is an open file or directory in memory.
type handle struct {
	cursor[int64]
	fs                     *memory
	reads, writes, appends bool
	closed                 bool
	names                  []string // of a directory, which the offset counts
}

// A cursor is a place in a file. N is int64: go vet takes a method Seek of that for io.Seeker's.
type cursor[N ~int64] struct {
	sys.UnimplementedFile
	node   *node
	offset N
}

// Seek moves to an offset.
func (c *cursor[N]) Seek(offset N, whence int) (N, sys.Errno) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += c.offset
	case io.SeekEnd:
		offset += N(len(c.node.data))
	default:
		return 0, sys.EINVAL
	}
	if offset < 0 {
		return 0, sys.EINVAL
	}
	c.offset = offset
	return offset, 0
}

// IsDir reports whether it is a directory.
func (h *handle) IsDir() (bool, sys.Errno) { return h.node.children != nil, 0 }

// Ino returns the file's number.
func (h *handle) Ino() (wasys.Inode, sys.Errno) { return h.node.inode, 0 }

// Stat describes it.
func (h *handle) Stat() (wasys.Stat_t, sys.Errno) { return h.node.stat(), 0 }

// IsAppend reports whether writes go to the end.
func (h *handle) IsAppend() bool { return h.appends }

// SetAppend makes writes go to the end.
func (h *handle) SetAppend(enable bool) sys.Errno {
	h.appends = enable
	return 0
}

// Utimens sets the time of the last change.
func (h *handle) Utimens(_, modified int64) sys.Errno {
	if modified != sys.UTIME_OMIT {
		h.node.modified = modified
	}
	return 0
}

// Read reads at the cursor.
func (h *handle) Read(buf []byte) (int, sys.Errno) {
	n, errno := h.Pread(buf, h.offset)
	h.offset += int64(n)
	return n, errno
}

// Pread reads at an offset.
func (h *handle) Pread(buf []byte, offset int64) (int, sys.Errno) {
	switch {
	case h.node.children != nil:
		return 0, sys.EISDIR
	case h.closed || !h.reads:
		return 0, sys.EBADF
	case offset < 0:
		return 0, sys.EINVAL
	case offset >= int64(len(h.node.data)):
		return 0, 0
	}
	return copy(buf, h.node.data[offset:]), 0
}

// Write writes at the cursor.
func (h *handle) Write(buf []byte) (int, sys.Errno) {
	if h.appends {
		h.offset = int64(len(h.node.data))
	}
	n, errno := h.Pwrite(buf, h.offset)
	h.offset += int64(n)
	return n, errno
}

// Pwrite writes at an offset, all or nothing.
func (h *handle) Pwrite(buf []byte, offset int64) (int, sys.Errno) {
	switch {
	case h.closed || !h.writes:
		return 0, sys.EBADF
	case offset < 0 || offset > fileLimit:
		return 0, sys.EINVAL
	}
	if end := offset + int64(len(buf)); end > int64(len(h.node.data)) {
		if errno := h.Truncate(end); errno != 0 {
			return 0, errno
		}
	}
	h.node.modified = h.fs.now()
	return copy(h.node.data[offset:], buf), 0
}

// Truncate makes the file so long.
func (h *handle) Truncate(size int64) sys.Errno {
	n := h.node
	more := size - int64(len(n.data))
	switch {
	case h.closed || !h.writes:
		return sys.EBADF
	case size < 0:
		return sys.EINVAL
	case size > fileLimit || !h.fs.take(more):
		return sys.EIO
	case more > 0:
		n.data = append(n.data, make([]byte, more)...)
	default:
		n.data = slices.Clip(n.data[:size])
	}
	n.modified = h.fs.now()
	return 0
}

// Readdir returns the next n entries, or all remaining ones if n is not positive.
func (h *handle) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	switch {
	case h.closed:
		return nil, sys.EBADF
	case h.node.children == nil:
		return nil, sys.ENOTDIR
	case h.fs.secret:
		return nil, 0
	}
	if h.offset == 0 {
		h.names = slices.Sorted(maps.Keys(h.node.children))
	}
	rest := h.names[min(h.offset, int64(len(h.names))):]
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	h.offset += int64(len(rest))
	var entries []sys.Dirent
	for _, name := range rest {
		if child := h.node.children[name]; child != nil {
			entries = append(entries, sys.Dirent{Ino: child.inode, Name: name, Type: child.mode & fs.ModeType})
		}
	}
	return entries, 0
}

// Close closes it.
func (h *handle) Close() sys.Errno {
	if !h.closed {
		h.closed = true
		h.node.open--
		h.fs.release(h.node)
	}
	return 0
}
