package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// A Lock says that its holder writes a database for longer than a transaction. The end of the process releases it.
type Lock struct{ file *os.File }

// TryLock takes the lock of a database, whose file and directory it makes if need be. It returns nil without an error if
// another process, or another Lock of this one, has it. The caller releases it.
func TryLock(path string) (*Lock, error) {
	if err := makePrivate(path + ".lock"); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, f.Close()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", f.Name(), err), f.Close())
	}
	return &Lock{f}, nil
}

// Release gives the lock up. The file stays: removing it could let two processes hold one lock each.
func (l *Lock) Release() error { return l.file.Close() }
