package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Link is a symbolic link to a directory, or to nothing. Walks do not enter it, but servers may read what is there under its
// name, which is something else once it leads elsewhere. No file need have changed then.
type Link struct {
	Path string
	To   string // the path that it leads to in the end, within the tree if it can be; "": to nothing
	Made int64  // Unix time in nanoseconds, by which one that led elsewhere in between is told from the one before
}

// Through returns the path by which a file or directory is found through the link, "" if the link does not lead there.
func (l Link) Through(path string) string {
	if l.To == "" || !Inside(l.To, path) {
		return ""
	}
	return filepath.Join(l.Path, path[len(l.To):])
}

type link struct {
	Link
	to   node
	seen bool
}

// Links returns those of the tree as of the last walk, in the order of their paths.
func (d *Disk) Links() []Link {
	var all []Link
	for f := range d.linked {
		for _, l := range f.links {
			if Inside(d.top.path, l.Path) {
				all = append(all, l.Link)
			}
		}
	}
	slices.SortFunc(all, func(a, b Link) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// isLink reports whether an entry is a Link: it leads to a directory, or to nothing and has no name of a file to follow.
func (d *Disk) isLink(path string, entry fs.DirEntry, suffixes []string) bool {
	if entry.Type()&os.ModeSymlink == 0 {
		return false
	}
	info, there := stat(path)
	return there && info.dir || !there && !d.follows(entry.Name(), suffixes)
}

// strayed reports whether a link may lead elsewhere than when it was last visited.
func (l *link) strayed() bool {
	info, _ := stat(l.Path)
	return info.inode != l.to.inode || info.device != l.to.device || info.dir != l.to.dir
}

// visit says whether a link is another one than at the last visit. top is the directory of the tree.
func (l *link) visit(top string) (other bool) {
	before, seen := l.Link, l.seen
	l.seen = true
	l.to, _ = stat(l.Path)
	l.To, _ = filepath.EvalSymlinks(l.Path)
	if direct, err := filepath.EvalSymlinks(top); err == nil && Inside(direct, l.To) { // a link may lead to the tree
		l.To = filepath.Join(top, l.To[len(direct):])
	}
	if info, err := os.Lstat(l.Path); err == nil {
		l.Made = info.ModTime().UnixNano()
	}
	return !seen || l.Link != before
}

// visitLinks compares the links in a folder, where there are some.
func (d *Disk) visitLinks(f *folder) {
	for _, l := range f.links {
		if l.visit(d.top.path) && !d.first {
			d.turned(l)
		}
	}
}

// turned reports a link that leads elsewhere, or is gone.
func (d *Disk) turned(l *link) {
	d.changes = append(d.changes, Change{Path: l.Path, Kind: Changed, Link: true})
}

// allLinks returns the links in a folder and below.
func (f *folder) allLinks() []*link {
	all := slices.Clone(f.links)
	for _, in := range f.folders {
		all = append(all, in.allLinks()...)
	}
	return all
}
