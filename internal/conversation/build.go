package conversation

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"time"

	"tidepool/internal/conversation/store"
)

// workers read files at the same time when all are read. One reads and scrubs while the other one stores.
const workers = 2

// build reads the files at some paths, and marks as gone those that are stored and not there any more. Meanwhile answers say how much of
// them was read.
func (k *Keeper) build(ctx context.Context, paths []string) error {
	stored, err := k.store.Files(ctx)
	if err != nil {
		return err
	}
	todo := k.plan(paths, stored)
	if len(todo) > 0 && k.total.Load() > 0 {
		if err := k.store.SetComplete(ctx, false); err != nil {
			return err
		}
	}
	next := make(chan string)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			defer k.back()()
			b := batch{keeper: k}
			for path := range next {
				b.read(ctx, path)
			}
			b.flush(ctx)
		})
	}
	for _, path := range todo {
		select {
		case next <- path:
		case <-ctx.Done():
		}
	}
	close(next)
	working.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	k.setState(Completeness{State: Complete})
	return errors.Join(k.store.SetComplete(ctx, true), k.tell(ctx), k.store.Checkpoint(ctx))
}

// tell stores what could not be read, for whoever asks the store in another process.
func (k *Keeper) tell(ctx context.Context) error {
	k.config.Lock()
	why := k.unread()
	k.config.Unlock()
	return k.store.SetUnread(ctx, why)
}

// plan returns the files to look at: those that may have changed, in the order of paths, and then the others that are stored.
func (k *Keeper) plan(paths []string, stored []store.File) (todo []string) {
	byPath := make(map[string]*store.File, len(stored))
	for i := range stored {
		byPath[stored[i].Path] = &stored[i]
	}
	k.done.Store(0)
	k.total.Store(0)
	for _, path := range paths {
		f := byPath[path]
		delete(byPath, path)
		info, err := os.Lstat(path)
		if err == nil && f != nil && unchanged(f, info) {
			continue
		}
		todo = append(todo, path)
		if err == nil {
			k.total.Add(info.Size())
		}
	}
	for _, f := range stored {
		if byPath[f.Path] != nil && f.State == store.Live {
			todo = append(todo, f.Path)
		}
	}
	return todo
}

// unchanged reports whether a file is as it was when it was read to its end.
func unchanged(f *store.File, info os.FileInfo) bool {
	current := f.State == store.Live && f.Version == version || f.State == store.Excluded
	return current && info.Size() == f.Size && info.ModTime().Equal(f.ModTime)
}

// progress counts bytes that were read.
func (k *Keeper) progress(n int64) { k.done.Add(n) }

// back lets other threads of the process go before that of this goroutine, which is bound to it, unless the options are eager.
func (k *Keeper) back() func() {
	if k.archive.options.Eager {
		return func() {}
	}
	runtime.LockOSThread()
	return yield()
}

// tidy does what can wait until nothing changes: it retries what has failed, removes what is too old, and saves the index.
func (k *Keeper) tidy(ctx context.Context) {
	k.config.Lock()
	var failed []string
	for path := range k.failed {
		failed = append(failed, path)
	}
	k.config.Unlock()
	for _, path := range failed {
		if path == "" {
			k.failedAt("", nil)
		} else {
			k.try(ctx, path)
		}
	}
	k.expire()
	err := k.purge(ctx)
	if err == nil {
		err = k.tell(ctx)
	}
	if err == nil {
		err = k.prepare(ctx)
	}
	if err == nil {
		err = k.store.Checkpoint(ctx)
	}
	if err != nil && ctx.Err() == nil {
		k.failedAt("", err)
	}
}

// expire drops the readers of files that have not grown for a while.
func (k *Keeper) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, l := range k.lives {
		if k.archive.options.now().Sub(l.used) > liveIdle {
			delete(k.lives, path)
		}
	}
}

// purge removes the sessions whose transcripts are gone and whose time is over.
func (k *Keeper) purge(ctx context.Context) error {
	keep := k.archive.options.Keep
	before := k.archive.options.now().Add(-keep)
	sessions, err := k.store.Sessions(ctx, 0)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if s.Live || keep > 0 && s.Last.After(before) {
			continue
		}
		err := k.store.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.Remove(s)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// saveBehind is how many turns the last snapshot may lack before the index is loaded only to save another one. A question indexes
// them in a tenth of a second.
const saveBehind = 2000

// prepare sees to it that the next question finds a snapshot that lacks little.
func (k *Keeper) prepare(ctx context.Context) error {
	if x := k.archive.current(); x != nil {
		k.save(x)
		return nil
	}
	behind, err := k.store.Behind(ctx)
	if err != nil || behind < saveBehind {
		return err
	}
	x := newIndex()
	if err := x.load(ctx, k.store); err != nil {
		return err
	}
	ok, err := x.follow(ctx, k.store, k.archive.checkout)
	if err == nil && !ok {
		x.restart()
		_, err = x.follow(ctx, k.store, k.archive.checkout)
	}
	if err != nil {
		return err
	}
	return x.save(ctx, k.store)
}

// bring brings an index up to date, so that the next question need not.
func (k *Keeper) bring(ctx context.Context, x *index) {
	if _, err := x.follow(ctx, k.store, k.archive.checkout); err != nil && ctx.Err() == nil {
		k.failedAt("", err)
	}
}

// saveTime is how long saving the index may take when it is dropped, or the process ends. Without a snapshot it is made anew.
const saveTime = 5 * time.Second

// save saves an index unless the last snapshot lacks little of it.
func (k *Keeper) save(x *index) {
	k.config.Lock()
	s := k.store
	use := s != nil && !k.ending
	if use {
		k.looks.Add(1)
	}
	k.config.Unlock()
	if !use {
		return
	}
	defer k.looks.Done()
	ctx, cancel := context.WithTimeout(context.Background(), saveTime)
	defer cancel()
	ok, err := x.follow(ctx, s, k.archive.checkout)
	if err == nil && ok && x.lacking() >= loadSave {
		err = x.save(ctx, s)
	}
	if err != nil {
		k.failedAt("", err)
	}
}

// lacking returns how many turns the last snapshot does not have.
func (x *index) lacking() int {
	x.following.Lock()
	defer x.following.Unlock()
	return x.unsaved
}
