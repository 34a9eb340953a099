package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// A transaction waits for that of another connection, thirty seconds at most or as long as its context allows, and then says who is in the way.
func TestWriteWaitsForOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	synctest.Test(t, func(t *testing.T) {
		one, other := open(t, path, notes(1)), open(t, path, notes(1))
		began, end := make(chan struct{}), make(chan struct{})
		ended := make(chan error)
		go func() {
			ended <- one.WriteThrough(t.Context(), func(tx *Tx) error {
				close(began)
				<-end
				_, err := tx.Exec("INSERT INTO note(text) VALUES('one')")
				return err
			})
		}()
		<-began
		start := time.Now()
		var busy *BusyError
		if err := insert(t.Context(), other, "late"); !errors.As(err, &busy) || time.Since(start) < writeWait || time.Since(start) > 2*writeWait {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := insert(ctx, other, "late"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := other.Checkpoint(t.Context(), false); err != nil {
			t.Errorf("emptying what can be emptied: %v", err)
		}
		waits := make(chan error)
		go func() { waits <- insert(t.Context(), other, "two") }()
		time.Sleep(time.Second)
		close(end)
		if err := errors.Join(<-ended, <-waits); err != nil {
			t.Error(err)
		}
		if got := texts(t, one); len(got) != 2 || got[0] != "one" || got[1] != "two" {
			t.Errorf("%q", got)
		}
		if err := errors.Join(one.Close(), other.Close()); err != nil {
			t.Error(err)
		}
	})
}

// A reader of this process that is slow does not keep the log from being emptied.
func TestCheckpointWaitsForReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	synctest.Test(t, func(t *testing.T) {
		db := open(t, path, notes(1))
		if err := insert(t.Context(), db, "one", "two"); err != nil {
			t.Fatal(err)
		}
		reads, err := db.Reader().Query("SELECT id FROM note")
		if err != nil || !reads.Next() {
			t.Fatal(err)
		}
		if err := insert(t.Context(), db, "three"); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			time.Sleep(2 * busyTimeout)
			ended <- errors.Join(reads.Err(), reads.Close())
		}()
		if err := db.Checkpoint(t.Context(), true); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path + "-wal"); err != nil || info.Size() != 0 {
			t.Errorf("the log: %v, %v", info, err)
		}
		if err := errors.Join(<-ended, db.Close()); err != nil {
			t.Error(err)
		}
	})
}
