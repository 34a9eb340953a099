package workspace

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A Tree is one checkout that a project serves: the project's directory, or the same directory in another worktree
// of the repository. It knows its files as they were at the last walk.
type Tree struct {
	Workspace *Workspace
	Root      string

	walking sync.Mutex // held while the disk is compared and the changes are noted for the servers
	disk    *disk.Disk

	telling   sync.Mutex
	suspected map[string]bool // paths that may have changed since the last walk

	mu        sync.Mutex
	contents  map[string]Content     // by ID of the language; nil: not walked yet
	links     []disk.Link            // as of the last walk
	unsynced  int                    // files that the last walk found too many to follow
	asked     time.Time              // when a View was last made
	indexes   map[string]*text.Index // by ID of the language
	revised   map[string]int64       // by path of a file that has changed: its revision
	original  int64                  // the revision of all others
	newest    int64                  // the revision that was given last
	revisions map[string]int64       // of the source files that Revision was asked about, until they change
}

func newTree(w *Workspace, root string) *Tree {
	t := &Tree{Workspace: w, Root: root, suspected: map[string]bool{}, asked: time.Now(), indexes: map[string]*text.Index{},
		revised: map[string]int64{}, original: w.revision.Add(1), revisions: map[string]int64{}}
	t.newest = t.original
	selected := followed(w.Languages)
	selected.Limit = w.files
	t.disk = disk.New(root, selected)
	return t
}

// MayHaveChanged takes note for the next sync. Relative paths are below the root.
func (t *Tree) MayHaveChanged(paths []string) {
	t.telling.Lock()
	defer t.telling.Unlock()
	for _, path := range paths {
		if len(t.suspected) >= disk.Limit {
			return // the walk sees most of them
		}
		t.suspected[t.Absolute(path)] = true
	}
}

// Sync compares the disk with the last time and notes the changes for every server.
func (t *Tree) Sync() {
	t.walking.Lock()
	defer t.walking.Unlock()
	t.telling.Lock()
	suspected := t.suspected
	t.suspected = map[string]bool{}
	t.telling.Unlock()
	caughtUp := slices.DeleteFunc(t.Workspace.serversOf(t), func(s *Server) bool { return !s.isCaughtUp() })
	changes := t.disk.Walk(suspected)
	t.revise(changes)
	first, moved := t.survey(changes)
	for _, c := range changes {
		t.Workspace.NonASCII.Forget(c.Path)
	}
	if first {
		changes = nil // sessions that live hear of roots, and those to come read what is there
	}
	for _, s := range t.Workspace.serversOf(t) {
		s.note(t, changes, moved)
	}
	for _, s := range caughtUp {
		if !s.hearsOf(changes) {
			s.confirm(t)
		}
	}
}

// SyncWhole is Sync of the tree, and of other trees inside of it that are no checkouts any more: the servers have not heard yet
// that their files are gone.
func (t *Tree) SyncWhole() {
	t.Sync()
	for _, other := range t.Workspace.allTrees() {
		if other != t && t.Inside(other.Root) && !t.Foreign()(other.Root) {
			other.Sync()
		}
	}
}

// Know makes sure that the tree has been walked.
func (t *Tree) Know() {
	t.mu.Lock()
	known := t.contents != nil
	t.mu.Unlock()
	if !known {
		t.Sync()
	}
}

// Of returns what the tree has of a language.
func (t *Tree) Of(language *session.Language) Content {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.contents[language.ID]
}

// Wanted returns the servers of the languages that the tree has.
func (t *Tree) Wanted() []*Server {
	t.Know()
	var wanted []*Server
	for i := range t.Workspace.Languages {
		language := &t.Workspace.Languages[i]
		if len(t.Of(language).Roots) > 0 {
			wanted = append(wanted, t.Workspace.ServerOf(language, t))
		}
	}
	return wanted
}

// Eager returns those of the wanted servers that need not wait for a question: those of languages with a root marker.
// Without any marker they all are.
func (t *Tree) Eager(wanted []*Server) []*Server {
	eager := slices.DeleteFunc(slices.Clone(wanted), func(s *Server) bool { return !t.Of(s.Language).marked })
	if len(eager) == 0 {
		return wanted
	}
	return eager
}

// Begun returns the wanted servers without those that wait for the first question.
func (t *Tree) Begun() []*Server {
	wanted := t.Wanted()
	eager := t.Eager(wanted)
	return slices.DeleteFunc(wanted, func(s *Server) bool { return s.untouched() && !slices.Contains(eager, s) })
}

// used takes note that somebody asks about the tree.
func (t *Tree) used() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = time.Now()
}

// Close lets go of the disk.
func (t *Tree) Close() {
	t.walking.Lock()
	defer t.walking.Unlock()
	t.disk.Unwatch()
}

// Absolute is path below the root, unless it is absolute already. A way into the tree through symbolic links becomes
// the direct one.
func (t *Tree) Absolute(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.Join(t.Root, path)
	}
	path = filepath.Clean(path)
	if !t.Inside(path) {
		if direct, err := filepath.EvalSymlinks(path); err == nil && t.Inside(direct) {
			return direct
		}
	}
	return path
}

// Inside reports whether an absolute path is that of the root or below it.
func (t *Tree) Inside(path string) bool { return disk.Inside(t.Root, path) }

// Relative is path as a person writes it who works in the tree.
func (t *Tree) Relative(path string) string { return disk.Relative(t.Root, path) }

func (t *Tree) Part() session.Part { return session.Part{Foreign: t.Foreign(), Relative: t.Relative} }

// Unsynced is how many files the last walk found too many to follow.
func (t *Tree) Unsynced() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unsynced
}

// Sources are the source files of all languages, as of the last walk, each once and sorted.
func (t *Tree) Sources() []string {
	t.mu.Lock()
	contents := t.contents
	t.mu.Unlock()
	var all []string
	for _, has := range contents {
		all = append(all, has.sources...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Inventory returns how many source files the projects in a directory have of each language, by its id; a language without one is not there.
func Inventory(root string, languages []session.Language) map[string]int {
	t := newTree(&Workspace{Languages: languages}, root)
	defer t.Close()
	t.disk.Walk(nil)
	files := map[string]int{}
	for id, has := range t.look() {
		for _, path := range has.sources {
			if has.rootOf[filepath.Dir(path)] != "" {
				files[id]++
			}
		}
	}
	return files
}

// followed selects the files that the servers of these languages hear of, and their root markers. One of them at most may
// have Annexes.
func followed(languages []session.Language) disk.Selection {
	var selected disk.Selection
	for _, l := range languages {
		selected.Suffixes = append(selected.Suffixes, l.Extensions...)
		selected.Names = slices.Concat(selected.Names, l.Manifests, l.RootMarkers)
		if l.LoadsIgnored {
			selected.Built = append(selected.Built, l.Extensions...)
		}
		if l.Annexes != nil {
			selected.Beyond, selected.Manifests = l.Annexes, l.RootMarkers
		}
	}
	return selected
}

// Mentions reports whether a source file of the language may mention word.
func (t *Tree) Mentions(language *session.Language, word string) bool {
	of := t.Words(language)
	return of.Index.MayMention(word, of.Files)
}

// Words returns those of a language's source files as of the last walk.
func (t *Tree) Words(language *session.Language) session.Words {
	t.mu.Lock()
	defer t.mu.Unlock()
	index := t.indexes[language.ID]
	if index == nil {
		index = text.NewIndex()
		t.indexes[language.ID] = index
	}
	return session.Words{Index: index, Files: t.contents[language.ID].sources}
}
