package lsp

import (
	"slices"
	"strings"
)

// Sources returns the source files of the tree whose path is, or ends in, the components of path, which is written with
// slashes: all of the tree for "". Sorted.
func (v *View) Sources(path string) []string {
	v.tree.mu.Lock()
	contents := v.tree.contents
	v.tree.mu.Unlock()
	var found []string
	for _, has := range contents {
		for _, file := range has.sources {
			below := v.tree.relative(file)
			if path == "" || below == path || strings.HasSuffix(below, "/"+path) {
				found = append(found, file)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
