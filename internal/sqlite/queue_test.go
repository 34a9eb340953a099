package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// Who writes a shared database waits behind the one that waits already, though SQLite's own lock is free; who closes it leaves the queue.
func TestQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n", "a.db")
	shared := notes(1)
	shared.Shared = true
	synctest.Test(t, func(t *testing.T) {
		one, other := open(t, path, shared), open(t, path, shared)
		if err := other.queue.take(t.Context(), path, time.Now()); err != nil {
			t.Fatal(err)
		}
		var busy *BusyError
		if err := one.queue.take(t.Context(), path, time.Now()); !errors.As(err, &busy) {
			t.Errorf("two are first in the queue: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := insert(ctx, one, "early"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		waits := make(chan error)
		go func() { waits <- insert(t.Context(), one, "one") }()
		time.Sleep(time.Second)
		if got := texts(t, one); len(got) != 0 {
			t.Errorf("%q", got)
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
		if err := <-waits; err != nil {
			t.Error(err)
		}
		if got := texts(t, one); len(got) != 1 {
			t.Errorf("%q", got)
		}
		if err := insert(t.Context(), one, "two"); err != nil {
			t.Errorf("the queue was not released: %v", err)
		}
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	})
}
