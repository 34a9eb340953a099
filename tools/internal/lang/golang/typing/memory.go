package typing

import (
	"path/filepath"
	"sync"

	"tidepool/internal/golang/goroot"
	"tidepool/lsp"
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

// keptOfTree is what was found out about a tree, as long as none of its files changes. The zero value has nothing.
type keptOfTree struct {
	mu       sync.Mutex
	revision int64 // of the tree
	size     int

	open        map[Named][]OpenUse
	unnamed     map[string][]lsp.Location // the methods of interfaces without a name, by their name
	made        map[making]bool
	definitions map[query.Spot]query.Spot // of methods at places, as the server told
}

// uses returns the open uses of a method, if they are kept.
func (k *keptOfTree) uses(revision int64, method Named) ([]OpenUse, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	uses, ok := k.open[method]
	return uses, ok && k.revision == revision
}

func (k *keptOfTree) keepUses(revision int64, method Named, uses []OpenUse) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.room(revision, len(uses)) {
		put(&k.open, method, uses)
	}
}

// room makes room for so many places more of a tree in a revision, and reports whether there is. The caller holds mu.
func (k *keptOfTree) room(revision int64, places int) bool {
	k.size += 1 + places
	if k.revision != revision || k.size > maxKept {
		k.revision, k.size = revision, 1+places
		k.open, k.unnamed, k.made, k.definitions = nil, nil, nil, nil
	}
	return k.size <= maxKept
}

func (k *keptOfTree) interfaces(revision int64, method string) ([]lsp.Location, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	all, ok := k.unnamed[method]
	return all, ok && k.revision == revision
}

func (k *keptOfTree) keepInterfaces(revision int64, method string, all []lsp.Location) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.room(revision, len(all)) {
		put(&k.unnamed, method, all)
	}
}

// A making is a question about a type: whether a file may embed it, or may make another one of it as well.
type making struct {
	name     string
	embedded bool // only that
}

func (k *keptOfTree) may(revision int64, of making) (is, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	is, known = k.made[of]
	return is, known && k.revision == revision
}

func (k *keptOfTree) keepMay(revision int64, of making, is bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.room(revision, 0) {
		put(&k.made, of, is)
	}
}

// Definition returns where the method is declared that a place of a tree names, if [Reader.KeepDefinition] was told so of the same
// revision, and somebody vouches for the files.
func (r *Reader) Definition(tree int64, at query.Spot) (query.Spot, bool) {
	k := &r.Memory.tree
	k.mu.Lock()
	defer k.mu.Unlock()
	spot, ok := k.definitions[at]
	return spot, ok && k.revision == tree && r.Revision != nil
}

// KeepDefinition keeps where the method is declared that a place of a tree in a revision names.
func (r *Reader) KeepDefinition(tree int64, at, definition query.Spot) {
	k := &r.Memory.tree
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.room(tree, 1) {
		put(&k.definitions, at, definition)
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
