package python

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"tidepool/lsp/internal/disk"
)

// modules tell by which dotted names files are imported. They remember directories until something changes on
// the disk. Safe for concurrent use.
type modules struct {
	roots []string // base names; a directory that has one is where names begin

	mu    sync.Mutex
	known map[string]string // by directory: its name as a package with a dot behind it, "" where names begin
}

// of returns the name of the module in a file. It begins below the nearest root, or src in it, whether or not the
// directories in between have an __init__.py; without a root above, at the outermost directory that has one.
func (m *modules) of(path string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, name := filepath.Split(path)
	pkg := m.packageOf(filepath.Clean(dir))
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if name == "__init__" && pkg != "" {
		return strings.TrimSuffix(pkg, ".")
	}
	return pkg + name
}

func (m *modules) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.known)
}

// packageOf returns the name of a directory. Callers hold mu.
func (m *modules) packageOf(dir string) string {
	if known, ok := m.known[dir]; ok {
		return known
	}
	var parts []string
	from := dir
	for ; !m.isRoot(from); from = filepath.Dir(from) {
		if from == filepath.Dir(from) { // there is none
			parts, from = parts[len(parts)-packagesIn(dir):], dir
			break
		}
		parts = append([]string{filepath.Base(from)}, parts...)
	}
	if len(parts) > 0 && parts[0] == "src" && !isPackage(filepath.Join(from, "src")) {
		parts = parts[1:]
	}
	m.known[dir] = ""
	if len(parts) > 0 {
		m.known[dir] = strings.Join(parts, ".") + "."
	}
	return m.known[dir]
}

func (m *modules) isRoot(dir string) bool {
	for _, name := range m.roots {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// packagesIn counts the directories with an __init__.py from dir up to the first without.
func packagesIn(dir string) int {
	n := 0
	for ; isPackage(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		n++
	}
	return n
}

func isPackage(dir string) bool {
	return disk.IsFile(dir, "__init__.py") || disk.IsFile(dir, "__init__.pyi")
}
