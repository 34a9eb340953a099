package sandbox

import (
	"bytes"
	"os"
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
		path, err := resolve(string(bytes.TrimSuffix(line[at:], []byte("\n"))))
		if err != nil || seen[path] {
			continue
		}
		seen[path] = true
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
			paths = append(paths, path)
		}
	}
	return paths
}
