package filecache

import "sync"

// A Reading is files as one piece of work sees them: each is looked at on the disk once, however often it is opened, unless others
// of four times as much text as the cache keeps were opened in between: thousands of files of a large tree may mention a name. A function
// with 20 callers opens 40 times, and a look costs as much as classifying a reference. Get one by [Cache.Read]. Safe for concurrent
// use.
type Reading[F any] struct {
	cache *Cache[F]
	make  func(path string, text []byte) F
	// revisionOf vouches for a file, see ReuseRevisions; nil: each file is looked at.
	revisionOf func(path string) (revision int64, ok bool)

	mu     sync.Mutex
	opened map[string]opened[F]
	before map[string]opened[F] // what was opened before there was too much of it: two large files may be opened by turns, thousands of times
	bytes  int                  // of the text of opened
}

// An opened is a file, the size of its text and its revision.
type opened[F any] struct {
	value    F
	size     int
	revision int64 // that revisionOf vouched for; 0: it did not
}

// Read begins a piece of work; see Open for make.
func (c *Cache[F]) Read(made func(path string, text []byte) F) *Reading[F] {
	return &Reading[F]{cache: c, make: made, opened: make(map[string]opened[F])}
}

// ReuseRevisions has a file not looked at on the disk if what is kept of it has the revision that revisionOf vouches for: the text is
// one that only has that revision. It must come before the first Open.
func (r *Reading[F]) ReuseRevisions(revisionOf func(path string) (revision int64, ok bool)) {
	r.revisionOf = revisionOf
}

// Open returns what is made of the file at path. The error is that of reading it.
func (r *Reading[F]) Open(path string) (F, error) {
	value, _, err := r.OpenRevision(path)
	return value, err
}

// OpenRevision is Open, with the revision of what it returns; 0: nobody vouches for it. The file on the disk may have another one by now.
func (r *Reading[F]) OpenRevision(path string) (value F, revision int64, err error) {
	if of, ok := r.known(path); ok {
		return of.value, of.revision, nil
	}
	found, revision, err := r.look(path)
	if err != nil {
		return value, 0, err
	}
	if of, ok := r.known(path); ok { // opened by somebody else meanwhile
		return of.value, of.revision, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold(path, opened[F]{found.value, int(found.stamp.Size), revision})
	return found.value, revision, nil
}

// known returns a file that was opened.
func (r *Reading[F]) known(path string) (opened[F], bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	of, ok := r.opened[path]
	if !ok {
		if of, ok = r.before[path]; ok {
			r.hold(path, of)
		}
	}
	return of, ok
}

// hold keeps a file among those that were opened last. Callers hold mu.
func (r *Reading[F]) hold(path string, of opened[F]) {
	if r.bytes += of.size; r.bytes > 2*r.cache.limit() {
		r.before, r.opened, r.bytes = r.opened, make(map[string]opened[F]), of.size
	}
	r.opened[path] = of
}

// Forget drops what was opened, so that no more of it stays in memory than the cache keeps. A file that is opened again is looked at again.
func (r *Reading[F]) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.opened)
	r.before, r.bytes = nil, 0
}

// look opens a file as the cache has it, or as it is on the disk.
func (r *Reading[F]) look(path string) (found *kept[F], revision int64, err error) {
	if r.revisionOf != nil {
		if revision, ok := r.revisionOf(path); ok {
			found, err = r.cache.openRevision(path, revision, r.make)
			return found, revision, err
		}
	}
	found, err = r.cache.open(path, 0, r.make)
	return found, 0, err
}
