package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Look finds a program in the PATH of an environment. A name with a slash is a path already. Relative directories in PATH do not count.
func Look(name string, env []string) (string, error) {
	if strings.ContainsRune(name, '/') {
		return name, nil
	}
	for _, entry := range env {
		path, is := strings.CutPrefix(entry, "PATH=")
		if !is {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			program := filepath.Join(dir, name)
			if filepath.IsAbs(program) && unix.Access(program, 1) == nil { // X_OK
				return program, nil
			}
		}
	}
	return "", fmt.Errorf("%s is not in PATH: %w", name, os.ErrNotExist)
}
