package lsp

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// followLimit is how many files of one project are followed. Beyond it changes are only noticed when a hook
// names the file, and answers say so. A walk costs about 2 µs a file (go test ./lsp -bench Walk).
const followLimit = 20_000

// racyWindow is how old a file's time must be for an equal time to mean an equal content: a file system may
// give two writes within one tick the same time.
const racyWindow = 20 * time.Millisecond

// A disk remembers the source files below a root as they were at the last walk. Not safe for concurrent use.
type disk struct {
	root     string
	suffixes []string // of the names that are followed
	names    []string // whole names that are followed
	limit    int

	walks    int
	files    map[string]stamp
	unsynced int // files beyond limit at the last walk
}

// A stamp is what tells two contents of a file apart without reading them.
type stamp struct {
	modified time.Time
	size     int64
	racy     bool // it may change again without showing
	seen     int  // the walk that saw it last
}

// A change is what happened to one file between two walks.
type change struct {
	path string
	kind protocol.FileChangeType
}

func newDisk(root string, languages []Language) *disk {
	d := &disk{root: root, limit: followLimit, files: map[string]stamp{}}
	for _, language := range languages {
		d.suffixes = append(d.suffixes, language.Extensions...)
		d.names = append(d.names, language.Manifests...)
	}
	return d
}

// walk compares the files with what they were and returns the changes. Files in told are reported even if
// nothing shows; they may lie where walks do not look.
func (d *disk) walk(told map[string]bool) []change {
	d.walks++
	d.unsynced = 0
	var changes []change
	d.walkDir(d.root, time.Now(), &changes)
	for path, last := range d.files {
		if last.seen != d.walks {
			delete(d.files, path)
			changes = append(changes, change{path, protocol.FileChangeTypeDeleted})
		}
	}
	for _, c := range changes {
		delete(told, c.path)
	}
	for path := range told {
		if d.follows(filepath.Base(path)) {
			changes = append(changes, change{path, kindOnDisk(path)})
		}
	}
	return changes
}

func (d *disk) walkDir(dir string, now time.Time, changes *[]change) {
	entries, _ := os.ReadDir(dir) // what cannot be read has no files for the server either
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case entry.IsDir():
			if !skipped(name) {
				d.walkDir(filepath.Join(dir, name), now, changes)
			}
		case d.follows(name):
			d.visit(filepath.Join(dir, name), entry, now, changes)
		}
	}
}

func (d *disk) visit(path string, entry fs.DirEntry, now time.Time, changes *[]change) {
	last, known := d.files[path]
	if !known && len(d.files) >= d.limit {
		d.unsynced++
		return
	}
	info, err := entry.Info()
	if err != nil {
		return // deleted since the directory was read
	}
	next := stamp{modified: info.ModTime(), size: info.Size(), seen: d.walks}
	next.racy = now.Sub(next.modified) < racyWindow
	d.files[path] = next
	switch {
	case !known:
		*changes = append(*changes, change{path, protocol.FileChangeTypeCreated})
	case last.racy || !last.modified.Equal(next.modified) || last.size != next.size:
		*changes = append(*changes, change{path, protocol.FileChangeTypeChanged})
	}
}

func (d *disk) follows(name string) bool {
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
	if _, err := os.Stat(path); err != nil {
		return protocol.FileChangeTypeDeleted
	}
	return protocol.FileChangeTypeChanged
}
