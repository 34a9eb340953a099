//go:build !unix

package process

import "os"

// lockedDir makes a directory: there are no locks here that end with us.
func lockedDir(parent string) (dir string, lock *os.File, err error) {
	dir, err = os.MkdirTemp(parent, scratchPrefix)
	return dir, nil, err
}

// removeUnlocked removes nothing: whether it is in use cannot be told.
func removeUnlocked(string) {}
