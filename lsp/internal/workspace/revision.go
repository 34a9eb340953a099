package workspace

import (
	"slices"

	"tidepool/lsp/internal/disk"
)

// revise gives files that have changed another revision.
func (t *Tree) revise(changes []disk.Change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.contents == nil { // the first walk: all are new
		return
	}
	for _, c := range changes {
		delete(t.revisions, c.Path)
		t.newest = t.Workspace.revision.Add(1)
		t.revised[c.Path] = t.newest
	}
}

// Newest is a number that the tree has for as long as no walk finds a file changed, and no other tree ever has.
func (t *Tree) Newest() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.newest
}

// Revision is the revision of a source file, absolute: a number that it has for as long as no walk finds it changed. ok is
// false for a file that the last walk has not found in a project of its language.
func (t *Tree) Revision(path string) (revision int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if revision, ok = t.revisions[path]; ok {
		return revision, true
	}
	if !t.servesLocked(path) {
		return 0, false
	}
	if revision, ok = t.revised[path]; !ok {
		revision = t.original
	}
	t.revisions[path] = revision
	return revision, true
}

// servesLocked says whether a file is a source of a language that the tree has a project of. Callers hold mu.
func (t *Tree) servesLocked(path string) bool {
	for i := range t.Workspace.Languages {
		language := &t.Workspace.Languages[i]
		has := t.contents[language.ID]
		if _, found := slices.BinarySearch(has.sources, path); found && len(has.Roots) > 0 && language.Reads(path) {
			return true
		}
	}
	return false
}
