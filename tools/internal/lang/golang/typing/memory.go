package typing

import (
	"path/filepath"
	"sync"

	"tidepool/internal/golang/goroot"
	"tidepool/lsp"
)

// A Memory is what readers of one project leave for those to come. The zero value is empty and ready; it must not be copied. Safe for
// concurrent use.
type Memory struct {
	uses  keptUses
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

// maxKept bounds the open uses that are kept, and the methods that they are of: a megabyte. What is more is dropped, all at once.
const maxKept = 16_384

// keptUses are the open uses of methods in a tree as long as none of its files changes. The zero value has none.
type keptUses struct {
	mu       sync.Mutex
	revision int64 // of the tree
	of       map[Named][]lsp.Location
	size     int // uses and methods
}

func (k *keptUses) get(revision int64, method Named) ([]lsp.Location, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	uses, ok := k.of[method]
	return uses, ok && k.revision == revision
}

func (k *keptUses) put(revision int64, method Named, uses []lsp.Location) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.size += 1 + len(uses); k.of == nil || k.revision != revision || k.size > maxKept {
		k.revision, k.of, k.size = revision, make(map[Named][]lsp.Location), 1+len(uses)
	}
	if k.size <= maxKept {
		k.of[method] = uses
	}
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
