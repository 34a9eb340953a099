package lsp

import (
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// followLimit is how many files of one project are followed. Beyond it changes are only noticed when
// FilesChanged names the file, and answers say so.
const followLimit = 20_000

// watchTrust is how long a quiet watch stands for a walk, which sees what a watch cannot.
const watchTrust = 5 * time.Second

// racyWindow is how old a time must be for an equal time to mean an equal content: a file system may give
// two writes within one tick the same time.
const racyWindow = 20 * time.Millisecond

// A disk remembers the source files below a root as they were at the last walk. Not safe for concurrent use.
//
// A walk is paid for by a View, so directories are only read again when their time has changed: with one stat
// for each file and directory it takes half of what reading all directories does, 0.25 ms for 300 files. While
// the watch is quiet it is left out, which takes 1 µs (go test ./lsp -run - -bench Walk).
type disk struct {
	suffixes []string // of the names that are followed
	names    []string // whole names that are followed
	limit    int
	top      *folder
	watch    *watch    // nil: every View walks
	trusted  time.Time // until when a quiet watch stands for a walk

	seed     maphash.Seed
	walked   bool
	first    bool            // the present walk is the first: everything is new, and not read
	now      time.Time       // when the present walk began
	told     map[string]bool // files that may have changed whatever shows, and that it has not come to yet
	count    int             // files that it has found
	unsynced int             // files beyond limit
	changes  []change
}

// A folder is a directory with what is followed in it, both lists in the order of their paths.
type folder struct {
	path    string
	stamp   stamp
	watched bool
	files   []*file
	folders []*folder
}

type file struct {
	path  string
	stamp stamp  // zero: not seen yet
	sum   uint64 // of the content when it was last read; 0: never, as in the first walk
}

// A stamp is what tells two contents apart without reading them.
type stamp struct {
	modified time.Time
	size     int64
	racy     bool // it may change again without showing
}

// A change is what happened to one file between two walks.
type change struct {
	path string
	kind protocol.FileChangeType
}

func newDisk(root string, languages []Language) *disk {
	d := &disk{limit: followLimit, top: &folder{path: root}, watch: newWatch(root), seed: maphash.MakeSeed()}
	for _, language := range languages {
		d.suffixes = append(d.suffixes, language.Extensions...)
		d.names = append(d.names, language.Manifests...)
	}
	return d
}

// walk compares the files with what they were and returns the changes. Files in told may have changed even if
// nothing shows, and may lie where walks do not look.
func (d *disk) walk(told map[string]bool) []change {
	now := time.Now()
	if d.watch.quiet() && len(told) == 0 && now.Before(d.trusted) {
		return nil
	}
	d.first, d.walked = !d.walked, true
	d.now, d.told, d.trusted, d.count, d.unsynced, d.changes = now, told, now.Add(watchTrust), 0, 0, nil
	d.compare(d.top)
	for _, c := range d.changes {
		delete(told, c.path)
	}
	for path := range told {
		if d.follows(filepath.Base(path)) {
			d.report(path, kindOnDisk(path))
		}
	}
	return d.changes
}

// compare walks one folder and says whether it is still there.
func (d *disk) compare(f *folder) bool {
	if !f.watched && d.watch != nil { // first, so that nothing happens between the look and the watch
		f.watched = d.watch.add(f.path)
	}
	info, err := os.Stat(f.path)
	if err != nil || !info.IsDir() {
		d.forget(f)
		return false
	}
	if !f.watched {
		d.unwatch() // too many directories for this machine
	}
	if changed, doubt := f.stamp.update(info, d.now); changed || doubt {
		d.list(f)
	}
	f.files = slices.DeleteFunc(f.files, func(in *file) bool { return !d.visit(in) })
	f.folders = slices.DeleteFunc(f.folders, func(in *folder) bool { return !d.compare(in) })
	return true
}

// unwatch gives the watch up: from here on every View walks.
func (d *disk) unwatch() {
	d.watch.close()
	d.watch = nil
}

// visit compares one file and says whether it is still there.
func (d *disk) visit(f *file) bool {
	if d.count++; d.count > d.limit {
		d.unsynced++
		return true
	}
	info, err := os.Stat(f.path)
	if err != nil || info.IsDir() {
		d.report(f.path, protocol.FileChangeTypeDeleted)
		return false
	}
	kind := protocol.FileChangeTypeChanged
	if f.stamp.modified.IsZero() {
		kind = protocol.FileChangeTypeCreated
	}
	told := d.told[f.path]
	delete(d.told, f.path)
	if changed, doubt := f.stamp.update(info, d.now); changed || doubt || told {
		if d.first || d.read(f) || changed {
			d.report(f.path, kind)
		}
	}
	return true
}

// update brings a stamp up to date. It says whether it is another one, and if not, whether the content may have
// changed all the same.
func (s *stamp) update(info fs.FileInfo, now time.Time) (changed, doubt bool) {
	next := stamp{modified: info.ModTime(), size: info.Size()}
	next.racy = now.Sub(next.modified) < racyWindow
	changed, doubt = !s.modified.Equal(next.modified) || s.size != next.size, s.racy
	*s = next
	return changed, doubt
}

// read reads a file and says whether it is another one than when it was last read. A report of no change makes the
// server look at all that depends on the file; to read it costs far less.
func (d *disk) read(f *file) (other bool) {
	before := f.sum
	f.sum = 0
	if data, err := os.ReadFile(f.path); err == nil {
		f.sum = max(maphash.Bytes(d.seed, data), 1)
	}
	return f.sum != before || f.sum == 0
}

// list reads a directory again and keeps what is known of what is still there.
func (d *disk) list(f *folder) {
	entries, _ := os.ReadDir(f.path) // sorted; what cannot be read has no files for the server either
	var files []*file
	var folders []*folder
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(f.path, entry.Name())
		switch {
		case entry.IsDir() && !skipped(name):
			folders = append(folders, keep(f.folders, path, func(f *folder) string { return f.path }, &folder{path: path}))
		case !entry.IsDir() && d.follows(name):
			files = append(files, keep(f.files, path, func(f *file) string { return f.path }, &file{path: path}))
		}
	}
	for _, old := range f.files {
		if !slices.Contains(files, old) {
			d.report(old.path, protocol.FileChangeTypeDeleted)
		}
	}
	for _, old := range f.folders {
		if !slices.Contains(folders, old) {
			d.forget(old)
		}
	}
	f.files, f.folders = files, folders
}

// keep returns the entry of list with that path, or else fresh.
func keep[E any](list []E, path string, pathOf func(E) string, fresh E) E {
	at, found := slices.BinarySearchFunc(list, path, func(e E, path string) int { return strings.Compare(pathOf(e), path) })
	if found {
		return list[at]
	}
	return fresh
}

// forget reports everything in a folder that is gone.
func (d *disk) forget(f *folder) {
	for path := range f.all {
		d.report(path, protocol.FileChangeTypeDeleted)
	}
	f.files, f.folders, f.stamp = nil, nil, stamp{}
}

// all yields the paths of the files below a folder.
func (f *folder) all(yield func(string) bool) {
	f.each(yield)
}

func (f *folder) each(yield func(string) bool) bool {
	for _, in := range f.files {
		if !yield(in.path) {
			return false
		}
	}
	for _, in := range f.folders {
		if !in.each(yield) {
			return false
		}
	}
	return true
}

func (d *disk) report(path string, kind protocol.FileChangeType) {
	d.changes = append(d.changes, change{path, kind})
}

// follows says whether files of that name are followed. Hidden ones are editors' locks and copies.
func (d *disk) follows(name string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	for _, suffix := range d.suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return slices.Contains(d.names, name)
}

// skipped says whether a directory holds nothing that people edit as part of the project: hidden ones, and
// copies of other people's code.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor"
}

func kindOnDisk(path string) protocol.FileChangeType {
	if _, err := os.Lstat(path); err != nil {
		return protocol.FileChangeTypeDeleted
	}
	return protocol.FileChangeTypeChanged
}
