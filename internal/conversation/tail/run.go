package tail

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// run reports changes until the context ends.
func (w *Watch) run(ctx context.Context) {
	defer close(w.done)
	var events chan fsnotify.Event
	var failures chan error
	if w.notify != nil {
		defer w.notify.Close()
		events, failures = w.notify.Events, w.notify.Errors
	}
	w.look = time.NewTimer(0)
	defer w.look.Stop()
	w.tick = time.NewTimer(w.pace())
	defer w.tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.look.C:
			w.lookAtAll(ctx)
			w.tick.Reset(w.pace())
		case <-w.tick.C:
			w.lookAtLive()
			w.tick.Reset(w.pace())
		case <-w.hints:
			w.takeHints()
		case event := <-events:
			w.take(event)
		case err := <-failures:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				w.soon() // what happened is lost
			}
		}
	}
}

// pace returns how long to wait until the next look at files that are being written: not long if one of them is not watched,
// perhaps because there is not even its directory yet.
func (w *Watch) pace() time.Duration {
	for path := range w.live {
		if _, ok := w.watched[filepath.Dir(path)]; !ok {
			return liveLook
		}
	}
	return slowLook
}

// soon has all files looked at before long.
func (w *Watch) soon() { w.within(max(settle, restful*w.took)) }

func (w *Watch) within(d time.Duration) {
	if at := time.Now().Add(d); at.Before(w.due) {
		w.due = at
		w.look.Reset(d)
	}
}

// lookAtAll looks at all files, and sees to it that it is done again.
func (w *Watch) lookAtAll(ctx context.Context) {
	began := time.Now()
	added := w.watchParents()
	found, err := w.finder.Walk(ctx)
	if err != nil {
		return
	}
	w.due = began.Add(24 * time.Hour)
	changed := w.compare(found)
	w.mu.Lock()
	w.state.Refused, w.state.More = found.Refused, found.More
	w.mu.Unlock()
	w.report(changed...)
	w.lookedAtAll()
	w.took = time.Since(began)
	if w.notify == nil {
		w.within(max(slowLook, restful*w.took))
	} else {
		w.within(max(watchedLook, restful*w.took))
	}
	if added {
		w.soon()
	}
}

// compare returns the paths of files that are new, have changed, or are gone since the last look.
func (w *Watch) compare(found Found) []string {
	before := w.stamps
	w.stamps = make(map[string]stamp, len(found.Transcripts))
	var changed []string
	for i := range found.Transcripts {
		t := &found.Transcripts[i]
		w.stamps[t.Path] = t.stamp()
		w.watchGroup(t)
		if before[t.Path] != t.stamp() {
			changed = append(changed, t.Path)
			if time.Since(t.ModTime) < liveFor {
				w.live[t.Path] = t.ModTime
			}
		}
	}
	for path := range before {
		if _, ok := w.stamps[path]; !ok {
			changed = append(changed, path)
		}
	}
	for path := range w.live {
		w.watchSubagents(path)
	}
	return changed
}

// lookAtLive looks at the files that are being written, if nothing else tells of them, and for a root that was not there.
func (w *Watch) lookAtLive() {
	for path, at := range w.live {
		if time.Since(at) > liveFor {
			w.calm(path)
			continue
		}
		if dir := filepath.Dir(path); w.watch(dir, "") {
			w.soon()
		} else if _, ok := w.watched[dir]; !ok {
			w.lookAt(path)
		}
	}
	for _, r := range w.finder.roots {
		if w.watch(r.path, "") {
			w.soon()
		}
	}
}

// takeHints looks at the files that hooks have named.
func (w *Watch) takeHints() {
	w.mu.Lock()
	hinted := w.hinted
	w.hinted = map[string]bool{}
	w.mu.Unlock()
	for path := range hinted {
		if w.watch(filepath.Dir(path), "") {
			w.soon()
		}
		w.enliven(path, time.Now())
		w.lookAt(path)
	}
	w.tick.Reset(w.pace())
}

// take looks at what an event names: a file, or a directory in which there may be more.
func (w *Watch) take(event fsnotify.Event) {
	path := filepath.Clean(event.Name)
	if _, _, ok := w.finder.Locate(path); ok {
		w.lookAt(path)
		return
	}
	if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
		if _, ok := w.watched[path]; ok {
			delete(w.watched, path)
			w.soon()
		}
		return
	}
	if info, err := os.Lstat(path); event.Has(fsnotify.Create) && err == nil && info.IsDir() {
		w.enter(path)
	}
}

// lookAt reports a file if it has changed, is the project's, or was.
func (w *Watch) lookAt(path string) {
	before, known := w.stamps[path]
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if known {
			delete(w.stamps, path)
			w.report(path)
		}
		return
	}
	if err != nil || refusal(info) != "" {
		if known {
			w.report(path) // opening it says why
		}
		return
	}
	source, file, ok := w.finder.Locate(path)
	if !ok {
		return
	}
	t := transcriptOf(path, source, file, info)
	if t.stamp() == before || !known && !w.finder.ownerOf(t).ours {
		return
	}
	w.stamps[path] = t.stamp()
	w.enliven(path, time.Now())
	w.report(path)
}
