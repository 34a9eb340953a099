package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// Inside reports whether an absolute path is that of a directory or below it.
func Inside(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || dir[len(dir)-1] == filepath.Separator)
}

// Relative returns a path below a directory, with slashes; one that does not lie there stays as it is.
func Relative(dir, path string) string {
	below, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(below) {
		return path
	}
	return filepath.ToSlash(below)
}

// FindUp finds a file in dir or the nearest directory above that has it; "" if none has.
func FindUp(dir, name string) string {
	for {
		if IsFile(dir, name) {
			return filepath.Join(dir, name)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// IsFile reports whether there is a regular file at a path, given in parts.
func IsFile(path ...string) bool {
	info, err := os.Stat(filepath.Join(path...))
	return err == nil && info.Mode().IsRegular()
}

// IsDir reports whether there is a directory at a path.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
