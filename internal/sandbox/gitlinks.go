package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// clockLag is how far the times of files may be behind the clock: file systems take them at the kernel's last tick.
const clockLag = 20 * time.Millisecond

// gitLinks returns the links that were made in a git directory since a time: symbolic ones, and files that have a second name. Git writes
// through them when its user works with the repository later: a commit puts its message where COMMIT_EDITMSG leads, and a line of the
// reflog where logs/HEAD leads. Of objects, which git never writes in place, only the directories count. A directory that has no new
// entry is not changed, so only its subdirectories are looked at. What goes or is closed while it is read is left to the next command.
func gitLinks(dir string, since time.Time) (links []string) {
	since = since.Add(-clockLag)
	pending := []string{dir}
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		isObjects := at == filepath.Join(dir, "objects")
		isFresh := changedSince(at, since) != nil
		entries, _ := os.ReadDir(at)
		for _, e := range entries {
			path := filepath.Join(at, e.Name())
			switch {
			case e.IsDir():
				if !isObjects && !(at == dir && isForeign(e.Name())) {
					pending = append(pending, path)
				}
			case isFresh:
				if now := changedSince(path, since); now != nil && (e.Type()&fs.ModeSymlink != 0 || !isObjects && now.Nlink > 1) {
					links = append(links, path)
				}
			}
		}
	}
	return links
}

// isForeign reports whether a directory in a git directory is protected, or that of a program which keeps links there itself.
func isForeign(name string) bool {
	return slices.Contains(strings.Fields("hooks info modules branches remotes lfs annex"), name)
}

// changedSince returns what the system knows of an entry that was made, renamed or changed since a time; nil: it was not, or is gone.
func changedSince(path string, since time.Time) *syscall.Stat_t {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	stat, is := info.Sys().(*syscall.Stat_t)
	if !is || statChanged(stat).Before(since) {
		return nil
	}
	return stat
}
