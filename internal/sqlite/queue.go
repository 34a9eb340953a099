package sqlite

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// A queue is where processes wait that want to write a shared database. SQLite's lock alone is not fair: whoever has just released it
// is awake and takes it again, and on a busy machine another process can miss every moment between for more than ten seconds. So each
// takes the queue first, waits for SQLite's lock while it has the queue, and releases it once its transaction has begun. Only one process
// waits for SQLite's lock then, and one that has just written comes behind it. All that wait for the queue try equally often, and it
// becomes free while the process that had it writes, so each of them has the same chance. The end of a process releases it.
//
// A nil queue lets everybody through.
type queue struct{ file *os.File }

// openQueue opens the queue of a database, whose file and directory it makes if need be.
func openQueue(path string) (*queue, error) {
	if err := makePrivate(path + ".queue"); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".queue", os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return &queue{f}, nil
}

// take waits for the queue until a time. It is called by who has the database's turn, and so once at a time.
func (q *queue) take(ctx context.Context, path string, last time.Time) error {
	if q == nil {
		return nil
	}
	return patiently(ctx, path, last, func() (busy bool, err error) {
		err = syscall.Flock(int(q.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		return errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR), err
	})
}

// release gives the queue to the next one.
func (q *queue) release() {
	if q != nil {
		_ = syscall.Flock(int(q.file.Fd()), syscall.LOCK_UN) // it fails for a closed file only, which holds no lock
	}
}

func (q *queue) close() error {
	if q == nil {
		return nil
	}
	return q.file.Close()
}
