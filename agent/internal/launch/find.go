package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ServerName is the program that is the daemon.
const ServerName = "controlserver"

// Find returns its path: that of the one which was installed with this program,
// else of the first on PATH.
func Find(path string) (string, error) {
	program, err := self()
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	return find(filepath.Dir(program), path)
}

// find leaves out relative directories: a project may hold anything.
func find(dir, path string) (string, error) {
	beside := filepath.Join(dir, ServerName)
	if _, err := os.Stat(beside); !errors.Is(err, fs.ErrNotExist) {
		return beside, nil
	}
	for place := range strings.SplitSeq(path, string(filepath.ListSeparator)) {
		if found := filepath.Join(place, ServerName); filepath.IsAbs(place) && isProgram(found) {
			return found, nil
		}
	}
	return "", fmt.Errorf("it is neither in %s nor on PATH", dir)
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// self is this program, where it really is.
func self() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}
