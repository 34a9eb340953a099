package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
)

// rootLimit is how many roots of one language are served in one tree.
const rootLimit = 64

// A content is what a tree has of one language, as of the last walk. Never changed, only replaced.
type content struct {
	language *Language
	sources  []string          // source files, sorted
	roots    []string          // directories with a marker, or else sources that need none, sorted
	marked   bool              // there is a root with a marker
	rootOf   map[string]string // the root of each directory that has sources; "" is none
}

// root returns the one that a source file belongs to, "" if it belongs to none.
func (c content) root(path string) string { return c.rootOf[filepath.Dir(path)] }

// stray returns why a source file belongs to no root, "" if it does.
func (c content) stray(path string) string {
	if c.root(path) != "" {
		return ""
	}
	if len(c.roots) == rootLimit {
		return fmt.Sprintf("belongs to none of the %d projects that are served", rootLimit)
	}
	return "lies below no " + strings.Join(c.language.RootMarkers, " or ")
}

// survey looks for the languages' roots and sources again if changes may have moved some, and says whether that is the
// first time, and whether roots have come or gone. Callers hold walking.
func (t *tree) survey(changes []disk.Change) (first, moved bool) {
	t.mu.Lock()
	old := t.contents
	t.unsynced = t.disk.Unsynced()
	for _, index := range t.indexes {
		for _, c := range changes {
			index.Forget(c.Path)
		}
	}
	t.mu.Unlock()
	if old != nil && !slices.ContainsFunc(changes, t.project.moves) {
		return false, false
	}
	contents := t.look()
	for id, c := range contents {
		moved = moved || !slices.Equal(c.roots, old[id].roots)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.contents = contents
	clear(t.vouched)
	return old == nil, moved
}

// moves reports whether a change may make or unmake a root or a source file.
func (p *Project) moves(c disk.Change) bool {
	if c.Kind != disk.Changed {
		return true
	}
	return slices.ContainsFunc(p.languages, func(l Language) bool { return l.Marks(filepath.Base(c.Path)) })
}

// look finds what the tree has of every language. Callers hold walking.
func (t *tree) look() map[string]content {
	languages := t.project.languages
	found, markers := make([]content, len(languages)), make([][]string, len(languages))
	for path := range t.disk.Files {
		for i := range languages {
			if languages[i].Reads(path) {
				found[i].sources = append(found[i].sources, path)
			}
			if languages[i].Marks(filepath.Base(path)) {
				markers[i] = append(markers[i], path)
			}
		}
	}
	contents := make(map[string]content, len(languages))
	for i, c := range found {
		c.language = &languages[i]
		c.settle(t.root, markers[i])
		contents[c.language.ID] = c
	}
	return contents
}

// settle decides which directories are roots: those that have sources.
func (c *content) settle(top string, markers []string) {
	slices.Sort(c.sources)
	roots := rootsAmong(c.language, markers)
	c.assign(top, roots)
	c.marked = len(c.roots) > 0
	if c.language.Markerless && slices.Contains(slices.Collect(maps.Values(c.rootOf)), "") {
		c.assign(top, append(roots, top))
	}
	if len(c.roots) > rootLimit {
		c.assign(top, c.roots[:rootLimit])
	}
}

// rootsAmong returns the directories of the markers that are roots of their own.
func rootsAmong(l *Language, markers []string) []string {
	slices.SortFunc(markers, func(a, b string) int { return strings.Compare(filepath.Dir(a), filepath.Dir(b)) })
	var roots []string
	for _, marker := range markers {
		dir, outer := filepath.Dir(marker), ""
		for _, root := range roots { // those above come first
			if disk.Inside(root, dir) && len(root) > len(outer) {
				outer = root
			}
		}
		if outer == "" || outer != dir && l.Nested != nil && l.Nested(outer, marker) {
			roots = append(roots, dir)
		}
	}
	return roots
}

// assign finds the root of each directory that has sources.
func (c *content) assign(top string, roots []string) {
	known := make(map[string]string, len(roots)) // the root of a directory
	for _, root := range roots {
		known[root] = root
	}
	c.rootOf = map[string]string{}
	used := map[string]bool{}
	for _, path := range c.sources {
		dir := filepath.Dir(path)
		root := enclosing(known, top, dir)
		c.rootOf[dir] = root
		used[root] = true
	}
	delete(used, "")
	c.roots = slices.Sorted(maps.Keys(used))
}

// enclosing returns the root that known has for dir or the nearest directory above it, up to top. It adds what it finds.
func enclosing(known map[string]string, top, dir string) string {
	root, ok := known[dir]
	if !ok && dir != top && dir != filepath.Dir(dir) {
		root = enclosing(known, top, filepath.Dir(dir))
	}
	known[dir] = root
	return root
}
