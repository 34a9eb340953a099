package lsp

import (
	"slices"
	"strings"
)

// Sources returns the source files of the tree whose path is, or ends in, the components of path, which is written with
// slashes: all of the tree for "". Sorted.
func (v *View) Sources(path string) []string {
	return slices.DeleteFunc(v.tree.Sources(), func(file string) bool {
		below := v.tree.Relative(file)
		return path != "" && below != path && !strings.HasSuffix(below, "/"+path)
	})
}

// Revision returns a number that a source file of the tree, absolute, has for as long as no sync of the servers with the
// disk finds it changed; no other text of it ever had that number. What is kept of a file under its revision is as good as
// what a query is answered with, without another look at the disk. ok is false for a file that the last walk has not found.
func (v *View) Revision(path string) (revision int64, ok bool) { return v.tree.Revision(path) }

// TreeRevision returns a number that Views of a tree share for as long as no sync of the servers with the disk finds a file that they
// read changed, added or removed; those of another tree never have it. What is known through one View is true for another with the
// same number.
func (v *View) TreeRevision() int64 { return v.revision }
