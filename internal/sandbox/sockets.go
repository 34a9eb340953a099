package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// visibleSockets returns the Unix sockets that somebody listens on or has bound, and that have a path: a network namespace
// does not keep those apart.
func visibleSockets() []string {
	table, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	var paths []string
	seen := map[string]bool{}
	for line := range bytes.Lines(table) {
		at := bytes.IndexByte(line, '/')
		if at < 0 {
			continue
		}
		path, closed := reachable(string(bytes.TrimSuffix(line[at:], []byte("\n"))))
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
