//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockedDir makes a directory and locks it. Where the file system has no locks nobody else takes it for left, either.
func lockedDir(parent string) (dir string, lock *os.File, err error) {
	for {
		if dir, err = os.MkdirTemp(parent, scratchPrefix); err != nil {
			return "", nil, err
		}
		lock, err = os.Open(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue // swept before it was locked
		}
		if err != nil {
			return "", nil, err
		}
		flock(lock, unix.LOCK_EX)
		if _, err := os.Lstat(dir); err == nil {
			return dir, lock, nil
		}
		lock.Close()
	}
}

// removeUnlocked removes a directory of ours that nobody has locked.
func removeUnlocked(dir string) {
	held, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return
	}
	defer held.Close()
	var is unix.Stat_t
	if unix.Fstat(int(held.Fd()), &is) == nil && int(is.Uid) == os.Getuid() && flock(held, unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.RemoveAll(dir)
	}
}

// flock locks a file for as long as it is open.
func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
