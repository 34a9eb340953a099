package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// serverName is the program that has the commands which are seldom used: what
// they need would otherwise be paid for at every hook.
const serverName = "controlserver"

// handOver replaces this process by controlserver with the same arguments. It
// returns only if it cannot.
func handOver(p *process) int {
	path, err := findServer(p.getenv("PATH"))
	if err == nil {
		argv := append([]string{serverName}, p.args...)
		err = &os.PathError{Op: "run", Path: path, Err: syscall.Exec(path, argv, os.Environ())}
	}
	fmt.Fprintf(p.stderr, "error: agent %s is done by %s: %v\nhint: install both programs into one directory, as `make install` does\n",
		p.args[0], serverName, err)
	return 1
}

// findServer returns controlserver's path: the one that was installed with this
// program, else the first on PATH.
func findServer(path string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("finding this program: %w", err)
	}
	dir := filepath.Dir(self)
	beside := filepath.Join(dir, serverName)
	if _, err := os.Stat(beside); !errors.Is(err, fs.ErrNotExist) {
		return beside, nil
	}
	for place := range strings.SplitSeq(path, string(filepath.ListSeparator)) {
		if found := filepath.Join(place, serverName); filepath.IsAbs(place) && isProgram(found) {
			return found, nil
		}
	}
	return "", fmt.Errorf("it is neither in %s nor on PATH", dir)
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
