// Package disk tells which source files of a directory tree have changed since it was last asked.
//
// A Disk walks the tree: one stat for each file and directory, and the content where a stat may hide a change. On Linux
// a Watch says in which directories something has happened, so that most walks look at nothing else. What is walked is
// decided in ignore.go.
package disk

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limit is how many files of a tree are followed unless a Selection says otherwise. Of the others only those changes are
// noticed that Walk is told of. A walk of 200,000 took 240 ms on two processors, and 330 ms with all that a question does (make bench).
const Limit = 250_000

// watchTrust is how long a watch stands for a walk of everything, which sees what a watch cannot.
const watchTrust = 5 * time.Second

// A Selection says which files are followed.
type Selection struct {
	Suffixes []string // of the names of source files: ".go"
	Built    []string // those of Suffixes that are followed where programs put what they make as well
	Names    []string // of other files: base names, or "*.suffix"
	Limit    int      // how many files are followed; 0: Limit

	// Beyond returns the directories outside of root whose files are followed as well, sorted, as the manifests name
	// them now: files below root, or above it in the repository, that have one of the names Manifests and need not be
	// there. It is asked at the first walk and after changes of manifests. nil: there are none.
	Beyond    func(root string, manifests []string) []string
	Manifests []string
}

// A Disk remembers the source files below a root as they were at the last walk. Not safe for concurrent use.
//
// A walk of everything takes one stat for each file and directory, and reads those directories again whose time has
// changed: 20 ms for 20,000 files in 2,000 directories on two processors. While a watch sees every directory, only those
// are looked at in which something has happened: 1 µs if nothing has (go test ./lsp/internal/disk -run - -bench Walk).
//
// Goroutines: a few in a walk, until it returns.
type Disk struct {
	selected Selection
	top      *folder
	annexes  []*folder // outside of it
	watch    *Watch    // nil: every walk is one of everything
	trusted  time.Time // until when the watch stands for a walk of everything

	seed    maphash.Seed
	walked  bool
	first   bool             // the present walk is the first: everything is new, and not read
	linked  map[*folder]bool // those with symbolic links, whose targets a watch does not see
	now     time.Time        // when the present walk began
	told    map[string]bool  // files that may have changed whatever shows, and that it has not come to yet
	total   int              // files below top and in the annexes
	changes []Change
}

// A folder is a directory with what is followed in it, all lists in the order of their paths.
type folder struct {
	path    string
	reread  bool // the present walk has read it again
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
	links   []*link
}

type file struct {
	path  string
	stamp stamp
	sum   uint64 // of the content when it was last read; 0: never, as in the first walk
	still bool   // its time was the same at the last two visits
	gone  bool

	link     bool // it is a symbolic link
	dangling bool // a link to nothing
}

// A change is what happened to one file between two walks.
type Change struct {
	Path string // absolute
	Kind Kind
	// Replaced says of a file that has changed that its directory has, too: the file may have been gone in between.
	Replaced bool
	// SameTime says of a file that has changed that its time has not: who goes by that does not read it again.
	SameTime bool
	// Link says that this is no file but a Link that leads elsewhere than before, is new or is gone.
	Link bool
}

// A Kind is what happened to a file. The zero Kind is nothing.
type Kind int

// The kinds of changes, numbered as in the Language Server Protocol.
const (
	Created Kind = iota + 1
	Changed
	Deleted
)

// Then returns what k, and after it another change of the same file, are for somebody who has heard of neither.
func (k Kind) Then(after Kind) Kind {
	if k == Created && after == Changed {
		return k
	}
	return after
}

// Then returns what c, and after it another change of the same file, are for somebody who has heard of neither. The zero Change is none.
func (c Change) Then(after Change) Change {
	after.Kind = c.Kind.Then(after.Kind)
	after.SameTime = c.SameTime || after.SameTime
	return after
}

// New returns a Disk that knows no files yet, and watches the directory root, which is absolute, where it can. Unwatch
// must be called in the end.
func New(root string, selected Selection) *Disk {
	if selected.Limit == 0 {
		selected.Limit = Limit
	}
	top := &folder{path: root, repo: repository(root)}
	return &Disk{selected: selected, top: top, watch: newWatch(root), seed: maphash.MakeSeed(), linked: map[*folder]bool{}}
}

// Files yields the paths of the files below the root as of the last walk, absolute.
func (d *Disk) Files(yield func(path string) bool) { d.top.each(yield) }

// Unsynced returns how many files of the last walk were too many to be followed.
func (d *Disk) Unsynced() int { return max(0, d.total-d.selected.Limit) }

// Watch returns the present watch, which a walk may give up; nil: there is none.
func (d *Disk) Watch() *Watch { return d.watch }

// Unwatch gives the watch up: from here on every walk is one of everything.
func (d *Disk) Unwatch() {
	d.watch.close()
	d.watch = nil
}

// Walk compares the files with what they were and returns the changes in the order of their paths; at first every file
// is one. Files in told may have changed even if nothing shows, and may lie where walks do not look; the path of a
// directory, or of what is in none that is known, asks for a walk of everything. Walk empties told of what it has seen.
func (d *Disk) Walk(told map[string]bool) []Change {
	now := time.Now()
	stirred, sure := d.watch.drain()
	folders, known := d.foldersOf(told)
	all := !sure || !known || !now.Before(d.trusted)
	if !all {
		stirred = append(stirred, d.behindLinks()...)
	}
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
	for _, c := range d.changes {
		delete(told, c.Path)
	}
	for path := range told {
		if d.follows(filepath.Base(path), d.selected.Suffixes) {
			d.report(path, kindOnDisk(path))
		}
	}
	slices.SortStableFunc(d.changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return d.changes
}

// behindLinks returns the folders that have a link which leads to something else than at the last walk.
func (d *Disk) behindLinks() []*folder {
	var all []*folder
	for f := range d.linked {
		if slices.ContainsFunc(f.links, (*link).strayed) || slices.ContainsFunc(f.files, (*file).strayed) {
			all = append(all, f)
		}
	}
	return all
}

// strayed reports whether a link leads to another file than when it was last visited, or may do so.
func (f *file) strayed() bool {
	if !f.link {
		return false
	}
	info, there := stat(f.path)
	return there != f.stamp.seen || there && (f.stamp.racy || info != f.stamp.node)
}

// inOrder sorts folders by their paths, each once, so that one comes before those in it.
func inOrder(folders []*folder) []*folder {
	slices.SortFunc(folders, func(a, b *folder) int { return strings.Compare(a.path, b.path) })
	return slices.Compact(folders)
}

// foldersOf returns the folders of the files in told. known is false if one of them may stand for others.
func (d *Disk) foldersOf(told map[string]bool) (folders []*folder, known bool) {
	for path := range told {
		in, below := d.find(filepath.Dir(path))
		if in != nil && d.follows(filepath.Base(path), d.selected.Suffixes) {
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
func (d *Disk) find(path string) (found *folder, below bool) {
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

func (d *Disk) report(path string, kind Kind) {
	d.changes = append(d.changes, Change{Path: path, Kind: kind})
}

// follows reports whether files of that name are followed. Hidden ones are editors' locks and copies.
func (d *Disk) follows(name string, suffixes []string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return Named(d.selected.Names, name)
}

// Named reports whether a file's name is one of names, of which "*.cabal" stands for all that end so.
func Named(names []string, name string) bool {
	return slices.ContainsFunc(names, func(wanted string) bool {
		suffix, pattern := strings.CutPrefix(wanted, "*")
		return wanted == name || pattern && strings.HasSuffix(name, suffix)
	})
}

func kindOnDisk(path string) Kind {
	if _, err := os.Lstat(path); err != nil {
		return Deleted
	}
	return Changed
}
