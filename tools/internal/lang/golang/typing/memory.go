package typing

import (
	"path/filepath"
	"sync"

	"tidepool/internal/golang/goroot"
	"tidepool/tools/internal/query"
)

// A Memory is what readers of one project leave for those to come. The zero value is empty and ready; it must not be copied. Safe for
// concurrent use.
type Memory struct {
	tree  keptOfTree
	named revisions // of files without an interface that UnnamedInterfaces looks for

	once     sync.Once // finds
	standard string    // the directory of the standard library's packages; "": there is none
}

func (m *Memory) standardLibrary() string {
	m.once.Do(func() {
		if root := goroot.Find(); root != "" {
			m.standard = filepath.Join(root, "src")
		}
	})
	return m.standard
}

// maxKept bounds what is kept of a tree, in places and in questions whose answer is none: some megabytes. What is more is dropped, all at
// once.
const maxKept = 32_768

// keptOfTree is what was found out about a tree, as long as none of its files changes: of a [Named] the open uses, of an unnamed where
// interfaces declare it, of a making whether there is one, of the place of a method where that is declared. The zero value has nothing.
type keptOfTree struct {
	mu       sync.Mutex
	revision int64 // of the tree
	size     int
	of       map[any]any
}

// An unnamed is all methods of a name that interfaces without a name of their own declare.
type unnamed string

// A making is a question about a type: whether a file may embed it, or may make another one of it as well.
type making struct {
	name     string
	embedded bool // only that
}

// kept returns what is kept of a tree in a revision.
func kept[V any](k *keptOfTree, revision int64, of any) (value V, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.revision != revision {
		return value, false
	}
	value, ok = k.of[of].(V)
	return value, ok
}

// keep keeps what was found out about a tree in a revision, which is about so many places.
func (k *keptOfTree) keep(revision int64, of, value any, places int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.size += 1 + places
	if k.revision != revision || k.size > maxKept {
		k.revision, k.size, k.of = revision, 1+places, nil
	}
	if k.size <= maxKept {
		put(&k.of, of, value)
	}
}

// Definition returns where the method is declared that a place of a tree names, if [Reader.KeepDefinition] was told so of the same
// revision, and somebody vouches for the files.
func (r *Reader) Definition(tree int64, at query.Spot) (query.Spot, bool) {
	spot, ok := kept[query.Spot](&r.Memory.tree, tree, at)
	return spot, ok && r.Revision != nil
}

// KeepDefinition keeps where the method is declared that a place of a tree in a revision names.
func (r *Reader) KeepDefinition(tree int64, at, definition query.Spot) {
	r.Memory.tree.keep(tree, at, definition, 1)
}

// revisions are those that files had, by path, when something was true of their text. The zero value has none.
type revisions struct {
	mu sync.Mutex
	of map[string]int64
}

func (r *revisions) has(path string, revision int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.of[path]
	return ok && known == revision
}

func (r *revisions) put(path string, revision int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	put(&r.of, path, revision)
}
