package disk

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// sweep compares folders, and below them the new ones; if deep, all of them. It goes level by level: what belongs to
// one level is looked at in parallel, and only then taken in.
func (d *Disk) sweep(level []*folder, deep bool) {
	left := d.selected.Limit
	for len(level) > 0 {
		looks := make([]look, len(level))
		inParallel(len(level), func(i int) { looks[i] = d.look(level[i]) })
		var files []*file
		var next []*folder
		for i, f := range level {
			d.take(f, looks[i])
			followed := f.files[:min(left, len(f.files))]
			left -= len(followed)
			files = append(files, followed...)
			for _, in := range f.folders {
				if deep || looks[i].other || !in.stamp.seen || d.watch != nil && in.id == 0 {
					next = append(next, in)
				}
			}
		}
		d.visitAll(files, level)
		d.findOutputs(next)
		level = next
	}
}

// A look is what was seen of a folder, to be taken in.
type look struct {
	gone      bool
	other     bool // than the directory that was there before
	unwatched bool // it should be, and cannot
	listed    bool // files and folders are what is in it now
	files     []*file
	folders   []*folder
	links     []*link
}

// look compares one folder, and changes nothing but it.
func (d *Disk) look(f *folder) look {
	info, there := stat(f.path)
	l := look{other: f.stamp.seen && info.inode != f.stamp.inode}
	if d.watch != nil && there && info.dir && (f.id == 0 || l.other) {
		info, there, l.unwatched = d.watchOver(f, info)
	}
	if !there || !info.dir {
		return look{gone: true}
	}
	if changed, doubt := f.stamp.update(info, d.now); changed || doubt {
		l.listed = true
		l.files, l.folders, l.links = d.list(f)
	}
	return l
}

// watchOver adds a folder to the watch. It looks at it again, so that nothing has happened between the look and the
// watch. A directory that is replaced meanwhile stays without one until the next walk.
func (d *Disk) watchOver(f *folder, before node) (info node, there, failed bool) {
	id, watched := d.watch.add(f.path, before.device)
	info, there = stat(f.path)
	f.id = 0
	if info.inode == before.inode {
		f.id = id
	}
	return info, there, !watched
}

// take brings the disk up to date with what was seen of a folder.
func (d *Disk) take(f *folder, l look) {
	switch {
	case f.gone: // with one above it
		return
	case l.gone:
		d.forget(f)
		return
	case l.unwatched:
		d.Unwatch() // too many directories for this machine, or not its own
	case d.watch != nil:
		d.watch.enter(f)
	}
	if f.reread = l.listed; l.listed {
		d.takeList(f, l)
	}
	d.visitLinks(f)
}

// takeList brings the disk up to date with what is in a folder now.
func (d *Disk) takeList(f *folder, l look) {
	for _, old := range without(f.files, l.files, func(f *file) string { return f.path }) {
		d.report(old.path, Deleted)
	}
	for _, old := range without(f.links, l.links, func(l *link) string { return l.Path }) {
		d.turned(old)
	}
	for _, old := range without(f.folders, l.folders, func(f *folder) string { return f.path }) {
		d.forget(old)
	}
	d.total += len(l.files) - len(f.files)
	f.files, f.folders, f.links = l.files, l.folders, l.links
	if delete(d.linked, f); len(f.links) > 0 || slices.ContainsFunc(f.files, func(f *file) bool { return f.link }) {
		d.linked[f] = true
	}
}

// list reads a directory and keeps what is known of what is still there.
func (d *Disk) list(f *folder) (files []*file, folders []*folder, links []*link) {
	entries, _ := os.ReadDir(f.path) // sorted; what cannot be read has no files for the server either
	suffixes := d.survey(f, entries)
	if f.foreign {
		return nil, nil, nil
	}
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(f.path, entry.Name())
		switch {
		case f.flat && (entry.IsDir() || !Named(d.selected.Names, name)), path == d.top.path: // which may be in an annex
		case entry.IsDir() && !skipped(name) && f.output < outputDepth:
			fresh := &folder{path: path, parent: f, repo: f.repo, output: deeper(f.output)}
			folders = append(folders, keep(f.folders, path, func(f *folder) string { return f.path }, fresh))
		case d.isLink(path, entry, suffixes):
			links = append(links, keep(f.links, path, func(l *link) string { return l.Path }, &link{Link: Link{Path: path}}))
		case !entry.IsDir() && d.follows(name, suffixes):
			kept := keep(f.files, path, func(f *file) string { return f.path }, &file{path: path})
			kept.link = entry.Type()&os.ModeSymlink != 0
			files = append(files, kept)
		}
	}
	return files, folders, links
}

// keep returns the entry of list with that path, or else fresh.
func keep[E any](list []E, path string, pathOf func(E) string, fresh E) E {
	at, found := slices.BinarySearchFunc(list, path, func(e E, path string) int { return strings.Compare(pathOf(e), path) })
	if found {
		return list[at]
	}
	return fresh
}

// without returns what of before is not in now.
func without[E comparable](before, now []E, pathOf func(E) string) (gone []E) {
	for _, e := range before {
		if keep(now, pathOf(e), pathOf, *new(E)) != e {
			gone = append(gone, e)
		}
	}
	return gone
}

// forget reports everything in a folder that is gone. The top is never gone for good, nor is an annex.
func (d *Disk) forget(f *folder) {
	for path := range f.all {
		d.report(path, Deleted)
	}
	for _, l := range f.allLinks() {
		d.turned(l)
	}
	d.leave(f)
	if f.parent != nil {
		f.parent.folders = slices.DeleteFunc(f.parent.folders, func(in *folder) bool { return in == f })
		return
	}
	f.gone = false
	if f == d.top {
		d.trusted = time.Time{} // nothing tells when it is back
	}
}

// leave lets go of a folder and all below it.
func (d *Disk) leave(f *folder) {
	for _, in := range f.folders {
		d.leave(in)
	}
	d.total -= len(f.files)
	d.watch.leave(f)
	delete(d.linked, f)
	f.files, f.folders, f.links, f.stamp, f.id, f.gone = nil, nil, nil, stamp{}, 0, true
}

// visitAll compares files of these folders.
func (d *Disk) visitAll(files []*file, folders []*folder) {
	kinds := make([]Kind, len(files))
	inParallel(len(files), func(i int) { kinds[i] = d.visit(files[i]) })
	relisted := make(map[string]bool) // by path of a folder
	for _, f := range folders {
		relisted[f.path] = f.reread
	}
	deleted := false
	for i, kind := range kinds {
		if kind != 0 {
			changed := kind == Changed
			d.changes = append(d.changes, Change{
				Path: files[i].path, Kind: kind, Replaced: changed && relisted[filepath.Dir(files[i].path)], SameTime: changed && files[i].still,
			})
		}
		deleted = deleted || files[i].gone
		delete(d.told, files[i].path)
	}
	for _, f := range folders {
		if deleted {
			before := len(f.files)
			f.files = slices.DeleteFunc(f.files, func(in *file) bool { return in.gone })
			d.total += len(f.files) - before
		}
	}
}

// visit compares one file, and changes nothing but it. It returns what happened, 0 for nothing.
func (d *Disk) visit(f *file) Kind {
	info, there := stat(f.path)
	if !there || info.dir {
		return f.miss(info.dir)
	}
	f.dangling = false
	kind := Changed
	if !f.stamp.seen {
		kind = Created
	}
	f.still = f.stamp.seen && f.stamp.modified == info.modified
	changed, doubt := f.stamp.update(info, d.now)
	if !changed && !doubt && !d.told[f.path] {
		return 0
	}
	if d.first && !f.stamp.racy {
		return kind
	}
	if other := d.read(f); other || changed {
		return kind
	}
	return 0
}

// miss takes note that there is no such file. The name of a link stays, for the file may come back without a change of
// the directory.
func (f *file) miss(dir bool) Kind {
	known := f.stamp.seen
	f.stamp = stamp{}
	_, err := os.Lstat(f.path)
	f.gone = dir || err != nil
	f.dangling = !f.gone
	if !known {
		return 0
	}
	return Deleted
}

// read reads a file and says whether it is another one than when it was last read. A report of no change makes the
// server look at all that depends on the file; to read it costs far less.
func (d *Disk) read(f *file) (other bool) {
	before := f.sum
	f.sum = 0
	if data, err := os.ReadFile(f.path); err == nil {
		f.sum = max(maphash.Bytes(d.seed, data), 1)
	}
	return f.sum != before || f.sum == 0
}

// Bounds of the parallel parts of a walk: more than a few processors do not help the file system, and starting a
// goroutine costs as much as ten stats.
const (
	walkers = 4
	batch   = 64
)

// inParallel calls do with 0 to n-1 and returns when all calls have.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	work := func() {
		for {
			end := int(next.Add(batch))
			for i := end - batch; i < min(end, n); i++ {
				do(i)
			}
			if end >= n {
				return
			}
		}
	}
	var others sync.WaitGroup
	for range min(walkers, runtime.GOMAXPROCS(0), (n+batch-1)/batch) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}
