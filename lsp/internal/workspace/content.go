package workspace

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// rootLimit is how many roots of one language are served in one tree.
const rootLimit = 64

// A Content is what a tree has of one language, as of the last walk. Never changed, only replaced.
type Content struct {
	Language *session.Language
	sources  []string          // source files, sorted
	Roots    []string          // directories with a marker, or else sources that need none, sorted
	marked   bool              // there is a root with a marker
	rootOf   map[string]string // the root of each directory that has sources; "" is none
}

// Root returns the one that a source file belongs to, "" if it belongs to none.
func (c Content) Root(path string) string { return c.rootOf[filepath.Dir(path)] }

// stray returns why a source file belongs to no root, "" if it does.
func (c Content) stray(path string) string {
	if c.Root(path) != "" {
		return ""
	}
	if len(c.Roots) == rootLimit {
		return fmt.Sprintf("belongs to none of the %d projects that are served", rootLimit)
	}
	return "lies below no " + strings.Join(c.Language.RootMarkers, " or ")
}

// survey looks for the languages' roots and sources again if changes may have moved some, and says whether that is the
// first time, and whether roots have come or gone. Callers hold walking.
func (t *Tree) survey(changes []disk.Change) (first, moved bool) {
	t.mu.Lock()
	old := t.contents
	t.unsynced = t.disk.Unsynced()
	if old == nil || slices.ContainsFunc(changes, func(c disk.Change) bool { return c.Link }) {
		t.links = t.disk.Links()
	}
	for _, index := range t.indexes {
		for _, c := range changes {
			index.Forget(c.Path)
		}
	}
	t.mu.Unlock()
	if old != nil && !slices.ContainsFunc(changes, t.Workspace.moves) {
		return false, false
	}
	contents := t.look()
	for id, c := range contents {
		moved = moved || !slices.Equal(c.Roots, old[id].Roots)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.contents = contents
	clear(t.revisions)
	return old == nil, moved
}

// moves reports whether a change may make or unmake a root or a source file.
func (w *Workspace) moves(c disk.Change) bool {
	if c.Kind != disk.Changed {
		return true
	}
	return slices.ContainsFunc(w.Languages, func(l session.Language) bool { return l.Marks(filepath.Base(c.Path)) })
}

// look finds what the tree has of every language. Callers hold walking.
func (t *Tree) look() map[string]Content {
	languages := t.Workspace.Languages
	found, markers := make([]Content, len(languages)), make([][]string, len(languages))
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
	contents := make(map[string]Content, len(languages))
	for i, c := range found {
		c.Language = &languages[i]
		c.settle(t.Root, markers[i])
		contents[c.Language.ID] = c
	}
	return contents
}

// settle decides which directories are roots: those that have sources.
func (c *Content) settle(top string, markers []string) {
	slices.Sort(c.sources)
	roots := rootsAmong(c.Language, markers)
	c.assign(top, roots)
	c.marked = len(c.Roots) > 0
	if c.Language.Markerless && slices.Contains(slices.Collect(maps.Values(c.rootOf)), "") {
		c.assign(top, append(roots, top))
	}
	if len(c.Roots) > rootLimit {
		c.assign(top, c.Roots[:rootLimit])
	}
}

// rootsAmong returns the directories of the markers that are roots of their own.
func rootsAmong(l *session.Language, markers []string) []string {
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
func (c *Content) assign(top string, roots []string) {
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
	c.Roots = slices.Sorted(maps.Keys(used))
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

// In returns the source files of a root.
func (c Content) In(root string) []string {
	return slices.DeleteFunc(slices.Clone(c.sources), func(path string) bool { return c.rootOf[filepath.Dir(path)] != root })
}
