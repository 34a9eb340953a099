// Package filecache caches values computed from files until the files change.
package filecache

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"os"
	"sync"
	"time"
)

// maxCached bounds the text, in bytes, of the files of which something is kept, unless a cache has a bound of its own. What is made of
// a file takes up to ten times as much as its text.
const maxCached = 2 << 20

// A Cache keeps one value for each file, such as its syntax tree, until the file's [Stamp] changes. A file that had just been written when
// it was read is read again, since its stamp may hide another write.
// The zero value is empty and ready. Safe for concurrent use; two callers that miss the same file at once both make
// its value.
type Cache[F any] struct {
	Limit int // of the text of the files of which something is kept, in bytes; 0: 2 MB. Set it before the first use

	mu    sync.Mutex // guards what follows
	kept  map[string]*kept[F]
	bytes int
	clock int // counts uses

	seeded sync.Once
	hashes maphash.Seed
}

type kept[F any] struct {
	value    F
	stamp    Stamp
	settled  bool   // the stamp was, when the text was read
	text     uint64 // a hash of it
	revision int64  // that somebody vouches for; 0: nobody does
	used     int    // Cache.clock at the last use
}

// openRevision is open for who knows that the text of the file is one that only has that revision, not 0: what was kept
// under it is right, without a look at the disk.
func (c *Cache[F]) openRevision(path string, revision int64, make func(path string, text []byte) F) (*kept[F], error) {
	c.mu.Lock()
	k := c.kept[path]
	if k != nil && k.revision == revision {
		defer c.mu.Unlock()
		c.clock++
		k.used = c.clock
		return k, nil
	}
	c.mu.Unlock()
	return c.open(path, revision, make)
}

// Open returns what is kept of the file at path, or else what make makes of its text, which is make's from then on. The error is
// that of reading it.
func (c *Cache[F]) Open(path string, make func(path string, text []byte) F) (F, error) {
	k, err := c.open(path, 0, make)
	if err != nil {
		var none F
		return none, err
	}
	return k.value, nil
}

// open looks at the disk. What it finds has the revision.
func (c *Cache[F]) open(path string, revision int64, make func(path string, text []byte) F) (*kept[F], error) {
	stamp, err := StampOf(path)
	if err != nil {
		return nil, err
	}
	known := c.lookup(path, revision, stamp)
	if known != nil && known.settled {
		return known, nil
	}
	now := time.Now()
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading source: %w", err)
	}
	read := &kept[F]{stamp: stamp, settled: stamp.Settled(now), text: maphash.Bytes(c.seed(), text), revision: revision}
	if known != nil && known.text == read.text {
		read.value, read.revision = known.value, cmp.Or(revision, known.revision)
	} else {
		read.value = make(path, text)
	}
	if int64(len(text)) == stamp.Size { // else it changed in between, and the next call must look again
		c.keep(path, read)
	}
	return read, nil
}

// seed returns that of the hashes of the cache.
func (c *Cache[F]) seed() maphash.Seed {
	c.seeded.Do(func() { c.hashes = maphash.MakeSeed() })
	return c.hashes
}

// lookup returns what is kept of a file with the stamp, nil if nothing is.
func (c *Cache[F]) lookup(path string, revision int64, stamp Stamp) *kept[F] {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.kept[path]
	if k == nil || k.stamp != stamp {
		return nil
	}
	c.clock++
	k.used = c.clock
	if revision != 0 && k.settled { // else what is kept is still the text of the revision that it has
		k.revision = revision
	}
	return k
}

func (c *Cache[F]) limit() int { return cmp.Or(c.Limit, maxCached) }

func (c *Cache[F]) keep(path string, k *kept[F]) {
	limit := c.limit()
	if k.stamp.Size > int64(limit)/2 {
		return // it would drive out all others
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = make(map[string]*kept[F])
	}
	c.drop(path)
	c.clock++
	k.used = c.clock
	c.kept[path] = k
	c.bytes += int(k.stamp.Size)
	for c.bytes > limit {
		c.drop(c.oldest())
	}
}

func (c *Cache[F]) drop(path string) {
	if k := c.kept[path]; k != nil {
		c.bytes -= int(k.stamp.Size)
		delete(c.kept, path)
	}
}

func (c *Cache[F]) oldest() string {
	var path string
	used := math.MaxInt
	for p, k := range c.kept {
		if k.used < used {
			path, used = p, k.used
		}
	}
	return path
}
