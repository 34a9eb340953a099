package recall

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/recall/index"
	"tidepool/internal/recall/store"
	"tidepool/internal/wording"
)

const snapshotWait = 5 * time.Second // for another process that writes the snapshot

// A snapshot is the file of the index: the identity of the database that it is of, and what index.Load reads. It is written beside its
// place and renamed, by one process at a time, which holds a lock.
type snapshot struct{ path string }

func snapshotOf(db *store.DB) snapshot {
	return snapshot{strings.TrimSuffix(db.Path(), ".db") + ".index"}
}

// anew is the name of the file while it is written. A killed writer leaves it; the next one removes it, and so does who forgets.
func (s snapshot) anew() string { return s.path + ".new" }

// read returns the index and the last change that it has; nil if there is none that can be used: it is missing, torn, of another version
// or of another database, has missed a change that is not known any more, or has words of what was forgotten.
func (s snapshot) read(ctx context.Context, db *store.DB) (*index.Index, int64, error) {
	f, err := s.open()
	if err != nil {
		return nil, 0, nil // it is made again, and what is wrong with its place says who writes it
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 256<<10)
	id := make([]byte, len(db.ID()))
	if _, err := io.ReadFull(r, id); err != nil || !bytes.Equal(id, db.ID()) {
		return nil, 0, nil
	}
	x, seq, err := index.Load(r)
	if err != nil {
		return nil, 0, nil
	}
	forgot, err := db.Forgot(ctx)
	if err != nil {
		return nil, 0, err
	}
	last, err := db.Seq(ctx)
	if err != nil {
		return nil, 0, err
	}
	if seq < forgot || seq > last {
		return nil, 0, nil
	}
	if _, ok, err := db.Changes(ctx, seq, 1); err != nil || !ok {
		return nil, 0, err
	}
	return x, seq, nil
}

// open opens the file if it is a regular one of this user, not through a link.
func (s snapshot) open() (*os.File, error) {
	f, err := os.OpenFile(s.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !info.Mode().IsRegular() || !ok || int(stat.Uid) != os.Geteuid() {
			err = errors.New(s.path + " is not a file of this user")
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// write writes an index that has all changes up to seq and was begun after base. It does not if something was forgotten since.
func (s snapshot) write(ctx context.Context, db *store.DB, x *index.Index, seq, base int64) (written bool, err error) {
	err = s.locked(ctx, func() error {
		forgot, err := db.Forgot(ctx)
		if err != nil || base < forgot {
			return err
		}
		if err := s.fill(db, x, seq); err != nil {
			return errors.Join(fmt.Errorf("writing the snapshot of the index: %w", err), remove(s.anew()))
		}
		written = true
		return os.Rename(s.anew(), s.path)
	})
	return written && err == nil, err
}

func (s snapshot) fill(db *store.DB, x *index.Index, seq int64) error {
	if err := remove(s.anew()); err != nil {
		return err
	}
	f, err := os.OpenFile(s.anew(), os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	_, err = w.Write(db.ID())
	if err == nil {
		err = x.Snapshot(w, seq)
	}
	return errors.Join(err, w.Flush(), f.Close()) // not synced: a torn one is recognized, and made again
}

// drop removes the snapshot, and what a killed writer has left of one.
func (s snapshot) drop(ctx context.Context) error {
	return s.locked(ctx, func() error { return errors.Join(remove(s.path), remove(s.anew())) })
}

// locked runs do as the only process that writes the snapshot.
func (s snapshot) locked(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, snapshotWait)
	defer cancel()
	lock, err := takeLock(ctx, s.path)
	if err != nil {
		return fmt.Errorf("waiting for another process that writes the snapshot: %w", err)
	}
	return errors.Join(do(), lock.Release())
}

// remove removes a file. One that is not there is no error.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// progress says how much of the index is made.
func progress(done, total int) string {
	if total == 0 {
		return "the index of memories is being loaded"
	}
	return fmt.Sprintf("the index of memories is being built: %d of %s", min(done, total), wording.Count(total, "memory"))
}
