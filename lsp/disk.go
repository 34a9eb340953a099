package lsp

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// followLimit is how many files of one tree are followed. Beyond it changes are only noticed when FilesChanged names
// the file, and answers say so.
const followLimit = 100_000

// watchTrust is how long a watch stands for a walk of everything, which sees what a watch cannot.
const watchTrust = 5 * time.Second

// A disk remembers the source files below a root as they were at the last walk. Not safe for concurrent use.
//
// A walk is paid for by a View. One of everything takes one stat for each file and directory, and reads those
// directories again whose time has changed: 20 ms for 20,000 files in 2,000 directories on two processors. While a
// watch sees every directory, only those are looked at in which something has happened: 1 µs if nothing has
// (go test ./lsp -run - -bench Walk).
//
// Goroutines: a few in a walk, until it returns.
type disk struct {
	suffixes []string // of the names that are followed
	built    []string // of those that are followed where programs put what they make as well
	names    []string // whole names that are followed
	limit    int
	top      *folder
	annexes  []*folder // outside of it
	watch    *watch    // nil: every walk is one of everything
	trusted  time.Time // until when the watch stands for a walk of everything

	seed     maphash.Seed
	walked   bool
	first    bool            // the present walk is the first: everything is new, and not read
	now      time.Time       // when the present walk began
	told     map[string]bool // files that may have changed whatever shows, and that it has not come to yet
	total    int             // files below top and in the annexes
	unsynced int             // files beyond limit
	changes  []change
}

// A folder is a directory with what is followed in it, both lists in the order of their paths.
type folder struct {
	path    string
	stamp   stamp
	repo    string // the directory of the repository that it belongs to; "": none
	output  int    // levels below and with the output directory that it is in; 0: in none
	id      int32  // of its watch; 0: none
	foreign bool   // nothing in it is part of the project
	flat    bool   // only the manifests in it are
	gone    bool
	parent  *folder // nil: the top, or an annex
	files   []*file
	folders []*folder
}

type file struct {
	path  string
	stamp stamp
	sum   uint64 // of the content when it was last read; 0: never, as in the first walk
	gone  bool

	dangling bool // a link to nothing
}

// A change is what happened to one file between two walks.
type change struct {
	path string
	kind protocol.FileChangeType
}

// together is what two changes of a file are, one after the other, for a server that has heard of neither. before is 0
// for none.
func together(before, after protocol.FileChangeType) protocol.FileChangeType {
	if before == protocol.FileChangeTypeCreated && after == protocol.FileChangeTypeChanged {
		return before
	}
	return after
}

func newDisk(root string, languages []Language) *disk {
	top := &folder{path: root, repo: repository(root)}
	d := &disk{limit: followLimit, top: top, watch: newWatch(root), seed: maphash.MakeSeed()}
	for _, language := range languages {
		d.suffixes = append(d.suffixes, language.Extensions...)
		d.names = append(d.names, language.Manifests...)
		if loadsAll(language) {
			d.built = append(d.built, language.Extensions...)
		}
	}
	return d
}

// walk compares the files with what they were and returns the changes in the order of their paths. Files in told may
// have changed even if nothing shows, and may lie where walks do not look; the path of a directory, or of what is in
// none that is known, asks for a walk of everything.
func (d *disk) walk(told map[string]bool) []change {
	now := time.Now()
	stirred, sure := d.watch.drain()
	folders, known := d.foldersOf(told)
	all := !sure || !known || !now.Before(d.trusted)
	if !all && len(stirred)+len(told) == 0 {
		return nil
	}
	d.first = !d.walked
	d.now, d.told, d.changes = now, told, nil
	if all {
		d.trusted = now.Add(watchTrust)
		d.sweep(append([]*folder{d.top}, d.annexes...), true)
	} else {
		d.sweep(inOrder(append(stirred, folders...)), false)
	}
	d.annex()
	d.watch.clean()
	d.walked = true
	d.unsynced = max(0, d.total-d.limit)
	for _, c := range d.changes {
		delete(told, c.path)
	}
	for path := range told {
		if d.follows(filepath.Base(path), d.suffixes) {
			d.report(path, kindOnDisk(path))
		}
	}
	slices.SortStableFunc(d.changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return d.changes
}

// inOrder sorts folders by their paths, each once, so that one comes before those in it.
func inOrder(folders []*folder) []*folder {
	slices.SortFunc(folders, func(a, b *folder) int { return strings.Compare(a.path, b.path) })
	return slices.Compact(folders)
}

// foldersOf returns the folders of the files in told. known is false if one of them may stand for others.
func (d *disk) foldersOf(told map[string]bool) (folders []*folder, known bool) {
	for path := range told {
		in, below := d.find(filepath.Dir(path))
		if in != nil && d.follows(filepath.Base(path), d.suffixes) {
			folders = append(folders, in)
			continue
		}
		if info, err := os.Lstat(path); below && in == nil || err == nil && !info.Mode().IsRegular() {
			return nil, false
		}
	}
	return folders, true
}

// find returns the folder of a path, nil if it is not known, and whether the path is that of the top or below.
func (d *disk) find(path string) (found *folder, below bool) {
	relative, err := filepath.Rel(d.top.path, path)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, false
	}
	found = d.top
	for name := range strings.SplitSeq(relative, string(filepath.Separator)) {
		if found != nil && name != "." {
			found = keep(found.folders, filepath.Join(found.path, name), func(f *folder) string { return f.path }, nil)
		}
	}
	return found, true
}

// unwatch gives the watch up: from here on every walk is one of everything.
func (d *disk) unwatch() {
	d.watch.close()
	d.watch = nil
}

// all yields the paths of the files below a folder.
func (f *folder) all(yield func(string) bool) {
	f.each(yield)
}

func (f *folder) each(yield func(string) bool) bool {
	for _, in := range f.files {
		if !in.dangling && !yield(in.path) {
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
func (d *disk) follows(name string, suffixes []string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return named(d.names, name)
}

// vanished says whether there is no such file any more.
func vanished(path string) bool {
	_, there := stat(path)
	return !there
}

func kindOnDisk(path string) protocol.FileChangeType {
	if _, err := os.Lstat(path); err != nil {
		return protocol.FileChangeTypeDeleted
	}
	return protocol.FileChangeTypeChanged
}
