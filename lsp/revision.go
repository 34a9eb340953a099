package lsp

import (
	"slices"

	"tidepool/lsp/internal/disk"
)

// revise gives files that have changed another revision.
func (t *tree) revise(changes []disk.Change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.contents == nil { // the first walk: all are new
		return
	}
	for _, c := range changes {
		delete(t.vouched, c.Path)
		t.revised[c.Path] = t.project.revision.Add(1)
	}
}

// Revision returns a number that a source file of the tree, absolute, has for as long as no sync of the servers with the
// disk finds it changed; no other text of it ever had that number. What is kept of a file under its revision is as good as
// what a query is answered with, without another look at the disk. ok is false for a file that the last walk has not found.
func (v *View) Revision(path string) (revision int64, ok bool) {
	t := v.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if revision, ok = t.vouched[path]; ok {
		return revision, true
	}
	at := slices.IndexFunc(v.wanted, func(s *server) bool { return s.language.Reads(path) })
	if at < 0 {
		return 0, false
	}
	if _, ok := slices.BinarySearch(t.contents[v.wanted[at].language.ID].sources, path); !ok {
		return 0, false
	}
	if revision, ok = t.revised[path]; !ok {
		revision = t.original
	}
	t.vouched[path] = revision
	return revision, true
}
