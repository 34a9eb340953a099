package tail

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/netfs"
)

// parents returns the directories in which files of the project appear: the roots, the groups that are named like it, and of a
// source that groups by date the last ones. In others the project's files are an exception.
func (f *Finder) parents() (likely, others []string) {
	for _, r := range f.roots {
		likely = append(likely, r.path)
		if !r.source.ByProject {
			likely = append(likely, latest(r)...)
			continue
		}
		entries, _ := os.ReadDir(r.path)
		for _, e := range entries {
			switch dir := filepath.Join(r.path, e.Name()); {
			case !e.IsDir():
			case f.isLikely(r.source, e.Name()):
				likely = append(likely, dir)
			default:
				others = append(others, dir)
			}
		}
	}
	return likely, others
}

// watchParents watches the directories in which files of the project may appear, before they are looked at, and reports whether one
// is new: others may have appeared in it before it was watched. Of those that are named like other projects not all need to be: a
// file that appears there is found by the next look.
func (w *Watch) watchParents() (added bool) {
	likely, others := w.finder.parents()
	for _, dir := range likely {
		added = w.watch(dir, "") || added
	}
	for _, dir := range others {
		if _, ok := w.watched[dir]; !ok && len(w.watched) >= maxWatched/2 {
			w.mu.Lock()
			w.state.Rest = max(w.state.Rest, watchedLook)
			w.mu.Unlock()
			break
		}
		added = w.watch(dir, "") || added
	}
	return added
}

// latest returns the last directory below a root by name, the last one in that, and so on.
func latest(r root) []string {
	var dirs []string
	for rel := ""; ; {
		entries, _ := os.ReadDir(filepath.Join(r.path, rel))
		next := ""
		for _, e := range entries {
			if below := path.Join(rel, e.Name()); e.IsDir() && r.source.Dir(below) {
				next = below
			}
		}
		if next == "" {
			return dirs
		}
		rel = next
		dirs = append(dirs, filepath.Join(r.path, rel))
	}
}

// onNetwork reports whether transcripts are on a file system that does not report what other machines do.
func (f *Finder) onNetwork() bool {
	for _, r := range f.roots {
		if netfs.Is(r.path) {
			return true
		}
	}
	return false
}

// watch watches a directory and reports whether it is new. What is not there is watched once a look or a hint finds it. session is
// the path of the session that it is watched for; "": it is always.
func (w *Watch) watch(dir, session string) bool {
	if _, ok := w.watched[dir]; ok || w.notify == nil {
		return false
	}
	if len(w.watched) >= maxWatched {
		w.unwatched("the project has transcripts in more directories than are watched")
		return false
	}
	err := w.notify.Add(dir)
	switch {
	case err == nil:
		w.watched[dir] = session
		return true
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
		w.unwatched("the system watches no more directories (fs.inotify.max_user_watches)")
	default:
		w.unwatched("the system does not watch a directory of transcripts")
	}
	return false
}

// unwatched notes that some directories are looked at only.
func (w *Watch) unwatched(why string) {
	w.mu.Lock()
	w.state.Why, w.state.Live, w.state.Rest = why, liveLook, watchedLook
	w.mu.Unlock()
}

// enliven notes that a file changed at a time. While it does, the directories are watched in which its subagents' files appear.
func (w *Watch) enliven(path string, at time.Time) {
	if time.Since(at) > liveFor {
		return
	}
	_, was := w.live[path]
	w.live[path] = at
	if !was {
		w.watchSubagents(path)
	}
}

// watchSubagents watches the directories of a session, as far as there are some.
func (w *Watch) watchSubagents(path string) {
	r, rel, ok := w.finder.below(path)
	if own := strings.TrimSuffix(rel, ".jsonl"); ok && r.source.Dir(own) {
		w.watchBelow(r, own, path)
	}
}

// watchGroup watches the directories of a session's file up to the root. Those of a subagent's are watched while its session lives.
func (w *Watch) watchGroup(t *Transcript) {
	r, _, ok := w.finder.below(t.Path)
	if !ok || t.Parent != "" {
		return
	}
	for dir := filepath.Dir(t.Path); len(dir) > len(r.path); dir = filepath.Dir(dir) {
		if w.watch(dir, "") {
			w.soon() // there was no watch when the files were looked at
		}
	}
}

// calm notes that a file has not changed for long.
func (w *Watch) calm(path string) {
	delete(w.live, path)
	for dir, session := range w.watched {
		if session == path {
			delete(w.watched, dir)
			_ = w.notify.Remove(dir) // it may be gone
		}
	}
}

// watchBelow watches a directory and those below it that may hold transcripts, for a session, and looks at what is in those
// that are new.
func (w *Watch) watchBelow(r root, rel, session string) {
	dir := filepath.Join(r.path, filepath.FromSlash(rel))
	added := w.watch(dir, session)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch below := rel + "/" + e.Name(); {
		case e.IsDir() && r.source.Dir(below):
			w.watchBelow(r, below, session)
		case added:
			w.lookAt(filepath.Join(dir, e.Name()))
		}
	}
}

// enter looks into a directory that has appeared: at once into one of a session of the project, which has few files, and by a look
// at all into others.
func (w *Watch) enter(dir string) {
	r, rel, ok := w.finder.below(dir)
	if !ok || !r.source.Dir(rel) {
		return
	}
	if group, rest, below := strings.Cut(rel, "/"); below && r.source.ByProject {
		name, _, _ := strings.Cut(rest, "/")
		session := filepath.Join(r.path, group, name+".jsonl")
		if _, ours := w.stamps[session]; ours {
			w.enliven(session, time.Now())
			w.watchBelow(r, rel, session)
			return
		}
	}
	w.soon()
}
