package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"tidepool/internal/state"
)

// maxDirs bounds how many directories of a project are looked through for repositories. With more, nothing runs.
const maxDirs = 500_000

// settled is how long a directory must have been unchanged to be believed: file systems stamp changes by ticks of some milliseconds.
const settled = 50 * time.Millisecond

// A tree knows the directories of a project, to find repositories in it. It reads a directory again when that has changed, by
// its change time, which no command can set.
type tree struct {
	mu   sync.Mutex
	dirs map[string]*dir
}

// A dir is what a directory contained when it was read.
type dir struct {
	changed  time.Time // the change time; zero if it is to be read again
	children []string  // names of directories
	isClosed bool      // it cannot be listed
	git      bool      // it has a .git of any kind
	bare     bool      // it is a repository without a work tree, or looks to git like one
}

// A survey is what a walk through a project found, as absolute paths.
type survey struct {
	repositories []string // with a .git
	bare         []string // git directories under other names
	closed       []string // directories that cannot be listed
}

// survey walks through a project. It follows no links and leaves out .git and .tidepool.
func (t *tree) survey(project string) (survey, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found survey
	seen := make(map[string]*dir, len(t.dirs))
	pending := []string{project}
	for len(pending) > 0 {
		path := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		d, err := t.read(path)
		if errors.Is(err, fs.ErrNotExist) { // it went while we walked
			continue
		}
		if err != nil {
			return survey{}, err
		}
		if seen[path] = d; len(seen) > maxDirs {
			return survey{}, fmt.Errorf("%s has more than %d directories: repositories in it cannot be found", project, maxDirs)
		}
		switch {
		case d.isClosed:
			found.closed = append(found.closed, path)
		case d.git:
			found.repositories = append(found.repositories, path)
		}
		if d.bare {
			found.bare = append(found.bare, path)
		}
		for _, name := range d.children {
			pending = append(pending, filepath.Join(path, name))
		}
	}
	t.dirs = seen
	slices.Sort(found.repositories)
	return found, nil
}

// read returns what a directory contains, from memory if it has not changed.
func (t *tree) read(path string) (*dir, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fs.ErrNotExist
	}
	changed := changeTime(info)
	if d := t.dirs[path]; d != nil && d.changed.Equal(changed) && !changed.IsZero() {
		return d, nil
	}
	d := &dir{}
	if time.Since(changed) > settled {
		d.changed = changed
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrPermission) {
		d.isClosed = true
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	marks := 0
	for _, e := range entries {
		switch name := e.Name(); name {
		case ".git":
			d.git = true
		case state.Name:
		case "HEAD", "objects", "refs":
			marks++
			fallthrough
		default:
			if e.IsDir() {
				d.children = append(d.children, name)
			}
		}
	}
	d.bare = marks == 3
	return d, nil
}

// changeTime returns when an entry's inode changed last.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return statChanged(stat)
	}
	return time.Time{}
}
