package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/git"
	"tidepool/lsp/internal/disk"
)

// A checkout is a directory that git keeps a working tree in.
type checkout struct {
	top    string // the directory
	common string // what it shares with the other worktrees of its repository: the directory .git of the main one
}

// checkoutOf reads what .git in a directory says; false if there is none.
func checkoutOf(dir string) (checkout, bool) {
	at := filepath.Join(dir, ".git")
	info, err := os.Lstat(at)
	if err != nil {
		return checkout{}, false
	}
	common := at
	if info.Mode().IsRegular() {
		private := git.PrivateDir(dir)
		if private == "" {
			return checkout{}, false
		}
		common = private // of a submodule
		if shared, ok := git.Pointer(filepath.Join(private, "commondir"), "", private); ok {
			common = shared
		}
	}
	if direct, err := filepath.EvalSymlinks(common); err == nil {
		common = direct
	}
	return checkout{top: dir, common: common}, true
}

// checkouts are those of the repository that the project's directory is checked out from. Guarded by the
// project's mu.
type checkouts struct {
	home  checkout  // that of the project
	below string    // the project's directory below it
	stamp time.Time // of the directory that lists the linked worktrees
	tops  []string  // of all checkouts, the longest first
}

// checkoutsAround finds the repository around a directory; nil if there is none.
func checkoutsAround(root string) *checkouts {
	for dir := root; ; dir = filepath.Dir(dir) {
		if home, ok := checkoutOf(dir); ok {
			below, _ := filepath.Rel(dir, root) // dir is above root
			return &checkouts{home: home, below: below}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// treeOf returns the directory of the tree that a directory lies in, "" if it lies in none of the repository's.
func (c *checkouts) treeOf(dir string) string {
	for {
		if found, ok := checkoutOf(dir); ok && found.common == c.home.common {
			if root := filepath.Join(found.top, c.below); disk.IsDir(root) {
				return root
			}
			return found.top
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// refresh reads the list of worktrees again if it has changed.
func (c *checkouts) refresh() {
	list := filepath.Join(c.home.common, "worktrees")
	info, err := os.Stat(list)
	if err == nil && info.ModTime().Equal(c.stamp) {
		return
	}
	c.tops, c.stamp = []string{c.home.top}, time.Time{}
	if filepath.Base(c.home.common) == ".git" {
		c.tops = append(c.tops, filepath.Dir(c.home.common))
	}
	var entries []os.DirEntry
	if err == nil { // most repositories have no such directory
		entries, _ = os.ReadDir(list)
	}
	whole := err == nil && time.Since(info.ModTime()) > disk.RacyWindow
	for _, entry := range entries {
		private := filepath.Join(list, entry.Name())
		at, ok := git.Pointer(filepath.Join(private, "gitdir"), "", private)
		if whole = whole && ok; ok {
			c.tops = append(c.tops, filepath.Dir(at))
		}
	}
	if whole { // else one is being made
		c.stamp = info.ModTime()
	}
	slices.SortFunc(c.tops, func(a, b string) int { return len(b) - len(a) })
	c.tops = slices.Compact(c.tops)
}

// topAround returns the first of tops, the longest first, that a path lies in, "" if it lies in none.
func topAround(tops []string, path string) string {
	at := slices.IndexFunc(tops, func(top string) bool { return disk.Inside(top, path) })
	if at < 0 {
		return ""
	}
	return tops[at]
}

// HasWorktrees reports whether there are other checkouts of the same repository.
func (w *Workspace) HasWorktrees() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.checkouts != nil && len(w.checkouts.tops) > 1
}
