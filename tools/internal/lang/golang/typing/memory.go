package typing

import (
	"path/filepath"
	"sync"

	"tidepool/internal/golang/goroot"
)

// A Memory is what readers of one project leave for those to come. The zero value is empty and ready; it must not be copied. Safe for
// concurrent use.
type Memory struct {
	tree     keptOfTree
	places   keptPlaces
	named    ofFiles[struct{}] // of those without an interface that UnnamedInterfaces looks for
	packages ofFiles[string]   // the names in their package clauses

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
// interfaces declare it, of a making whether there is one. The zero value has nothing.
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

// ofFiles is what was found out about files, of each as long as it has the same revision. The zero value has nothing.
type ofFiles[V any] struct {
	mu sync.Mutex
	of map[string]ofFile[V] // by path
}

type ofFile[V any] struct {
	revision int64
	value    V
}

func (k *ofFiles[V]) get(path string, revision int64) (value V, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, ok := k.of[path]
	return known.value, ok && known.revision == revision
}

func (k *ofFiles[V]) put(path string, revision int64, value V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	put(&k.of, path, ofFile[V]{revision, value})
}
