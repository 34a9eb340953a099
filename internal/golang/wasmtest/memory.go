package wasmtest

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
	wasys "github.com/tetratelabs/wazero/sys"
)

const (
	fileLimit = 16 << 20 // bytes of one file
	nodeSize  = 4 << 10  // bytes that an empty file counts as
)

// A memory is a file system in memory, without links. It is not safe for concurrent use: a guest has one thread.
type memory struct {
	sys.UnimplementedFS
	root *node
	room *int64       // bytes that may still be written, here and in others that share it
	now  func() int64 // nanoseconds of the epoch
	last wasys.Inode
	// secret says that directories look empty.
	secret bool
}

// A node is a file or a directory. Its memory is released when it has no name and is not open.
type node struct {
	children map[string]*node // nil: a file
	data     []byte
	mode     fs.FileMode
	modified int64
	inode    wasys.Inode
	named    bool
	open     int
}

func newMemory(room *int64, now func() int64) *memory {
	m := &memory{room: room, now: now}
	m.root = m.make(fs.ModeDir | 0o777)
	return m
}

// make makes a node, or nil if there is no room.
func (m *memory) make(mode fs.FileMode) *node {
	if !m.take(nodeSize) {
		return nil
	}
	m.last++
	n := &node{mode: mode, modified: m.now(), inode: m.last, named: true}
	if mode.IsDir() {
		n.children = map[string]*node{}
	}
	return n
}

func (m *memory) take(bytes int64) bool {
	if bytes > *m.room {
		return false
	}
	*m.room -= bytes
	return true
}

// release frees a node's memory if it has no name and is not open.
func (m *memory) release(n *node) {
	if !n.named && n.open == 0 {
		*m.room += nodeSize + int64(len(n.data))
		n.data = nil
	}
}

// find walks to a path. Missing says that all but its last part is there.
func (m *memory) find(path string) (at *node, errno sys.Errno) {
	at = m.root
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." {
			continue
		}
		if at.children == nil {
			return nil, sys.ENOTDIR
		}
		if at = at.children[part]; at == nil {
			return nil, sys.ENOENT
		}
	}
	return at, 0
}

// parent returns the directory that a path's last part is in, or would be.
func (m *memory) parent(path string) (dir *node, name string, errno sys.Errno) {
	path = strings.Trim(path, "/")
	above, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		above, name = path[:i], path[i+1:]
	}
	dir, errno = m.find(above)
	switch {
	case errno != 0:
		return nil, "", errno
	case dir.children == nil:
		return nil, "", sys.ENOTDIR
	case name == "" || name == "." || name == "..":
		return nil, "", sys.EINVAL
	}
	return dir, name, 0
}

// add makes a node at a path where there is none.
func (m *memory) add(path string, mode fs.FileMode) (*node, sys.Errno) {
	dir, name, errno := m.parent(path)
	switch {
	case errno != 0:
		return nil, errno
	case dir.children[name] != nil:
		return nil, sys.EEXIST
	case !dir.named:
		return nil, sys.ENOENT
	}
	n := m.make(mode)
	if n == nil {
		return nil, sys.EIO
	}
	dir.children[name] = n
	return n, 0
}

// put makes a file in the root directory.
func (m *memory) put(name string, data []byte) {
	if n, errno := m.add(name, 0o666); errno == 0 && m.take(int64(len(data))) {
		n.data = slices.Clone(data)
	}
}

// OpenFile opens or makes a file.
func (m *memory) OpenFile(path string, flag sys.Oflag, perm fs.FileMode) (sys.File, sys.Errno) {
	n, errno := m.find(path)
	switch {
	case errno == sys.ENOENT && flag&sys.O_CREAT != 0 && flag&sys.O_DIRECTORY == 0:
		n, errno = m.add(path, perm.Perm())
	case errno == 0 && flag&sys.O_CREAT != 0 && flag&sys.O_EXCL != 0:
		errno = sys.EEXIST
	}
	if errno != 0 {
		return nil, errno
	}
	writes := flag&(sys.O_RDWR|sys.O_WRONLY) != 0
	switch {
	case n.children != nil && writes:
		return nil, sys.EISDIR
	case n.children == nil && flag&sys.O_DIRECTORY != 0:
		return nil, sys.ENOTDIR
	}
	n.open++
	h := &handle{cursor: cursor[int64]{node: n}, fs: m, reads: flag&sys.O_WRONLY == 0, writes: writes, appends: flag&sys.O_APPEND != 0}
	if flag&sys.O_TRUNC != 0 && writes {
		h.Truncate(0)
	}
	return h, 0
}

// Stat describes a file.
func (m *memory) Stat(path string) (wasys.Stat_t, sys.Errno) {
	n, errno := m.find(path)
	if errno != 0 {
		return wasys.Stat_t{}, errno
	}
	return n.stat(), 0
}

// Lstat is Stat.
func (m *memory) Lstat(path string) (wasys.Stat_t, sys.Errno) { return m.Stat(path) }

func (n *node) stat() wasys.Stat_t {
	return wasys.Stat_t{
		Ino: n.inode, Mode: n.mode, Nlink: 1, Size: int64(len(n.data)),
		Atim: n.modified, Mtim: n.modified, Ctim: n.modified,
	}
}

// Mkdir makes a directory.
func (m *memory) Mkdir(path string, perm fs.FileMode) sys.Errno {
	_, errno := m.add(path, fs.ModeDir|perm.Perm())
	return errno
}

// Chmod sets the permissions, which are reported and not enforced.
func (m *memory) Chmod(path string, perm fs.FileMode) sys.Errno {
	n, errno := m.find(path)
	if errno == 0 {
		n.mode = n.mode&fs.ModeDir | perm.Perm()
	}
	return errno
}

// Utimens sets the time of the last change.
func (m *memory) Utimens(path string, _, modified int64) sys.Errno {
	n, errno := m.find(path)
	if errno == 0 && modified != sys.UTIME_OMIT {
		n.modified = modified
	}
	return errno
}

// Unlink removes a file.
func (m *memory) Unlink(path string) sys.Errno {
	n, errno := m.find(path)
	switch {
	case errno != 0:
		return errno
	case n.children != nil:
		return sys.EISDIR
	}
	return m.remove(path)
}

// Rmdir removes a directory that is empty.
func (m *memory) Rmdir(path string) sys.Errno {
	n, errno := m.find(path)
	switch {
	case errno != 0:
		return errno
	case n.children == nil:
		return sys.ENOTDIR
	case len(n.children) > 0:
		return sys.ENOTEMPTY
	}
	return m.remove(path)
}

func (m *memory) remove(path string) sys.Errno {
	dir, name, errno := m.parent(path)
	if errno != 0 {
		return errno
	}
	n := dir.children[name]
	delete(dir.children, name)
	n.named = false
	m.release(n)
	return 0
}

// Rename moves a file or a directory, over one that is there.
func (m *memory) Rename(from, to string) sys.Errno {
	n, errno := m.find(from)
	if errno != 0 {
		return errno
	}
	source, old, errno := m.parent(from)
	if errno != 0 {
		return errno
	}
	target, name, errno := m.parent(to)
	if errno != 0 {
		return errno
	}
	switch there := target.children[name]; {
	case there == n:
		return 0
	case n.children != nil && within(n, target):
		return sys.EINVAL
	case there == nil:
	case n.children != nil && there.children == nil:
		return sys.ENOTDIR
	case n.children == nil && there.children != nil:
		return sys.EISDIR
	case len(there.children) > 0:
		return sys.ENOTEMPTY
	default:
		m.remove(to)
	}
	delete(source.children, old)
	target.children[name] = n
	return 0
}

// within reports whether a directory is in another, or is it.
func within(dir, inner *node) bool {
	return dir == inner || slices.ContainsFunc(slices.Collect(maps.Values(dir.children)), func(n *node) bool { return within(n, inner) })
}
