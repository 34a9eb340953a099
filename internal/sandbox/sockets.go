package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// visibleSockets returns the Unix sockets that somebody listens on or has bound, and that have a path: a network namespace
// does not keep those apart. The kernel tells the path that a program bound, not where that leads from: a relative one is not known here,
// and a command can reach the socket if its directory is shown.
func visibleSockets() []string {
	table, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	var paths []string
	seen := map[string]bool{}
	for line := range bytes.Lines(table) {
		bound := boundPath(line)
		if !filepath.IsAbs(bound) { // also the names of abstract sockets, which start with @
			continue
		}
		path, closed := reachable(bound)
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if info, err := os.Lstat(path); err == nil && (closed || info.Mode()&os.ModeSocket != 0) {
			paths = append(paths, path)
		}
	}
	return paths
}

// boundPath returns the last column of a line of /proc/net/unix, which has spaces if the path has; "": the socket has none.
func boundPath(line []byte) string {
	const columns = 7 // before it
	for range columns {
		line = bytes.TrimLeft(line, " ")
		at := bytes.IndexByte(line, ' ')
		if at < 0 {
			return ""
		}
		line = line[at:]
	}
	return string(bytes.TrimSuffix(line[1:], []byte("\n")))
}

// reachable resolves the path of a socket. If a directory on the way is closed to this user it returns that directory: a command may own
// it, and open it. "" means that there is no such path.
func reachable(path string) (resolved string, closed bool) {
	resolved, err := resolve(path)
	for errors.Is(err, fs.ErrPermission) && path != "/" {
		path, closed = filepath.Dir(path), true
		resolved, err = resolve(path)
	}
	if err != nil {
		return "", closed
	}
	return resolved, closed
}
