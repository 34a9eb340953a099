package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ServerName is the file name of the daemon's program.
const ServerName = "controlserver"

// Find returns the path of the daemon's program: the one beside this program, else
// the first on PATH.
func Find(path string) (string, error) {
	program, err := Self()
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	return find(filepath.Dir(program), path)
}

// find ignores relative directories in path: a project may contain anything.
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

// Self returns the path of this program, with links resolved.
func Self() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}
