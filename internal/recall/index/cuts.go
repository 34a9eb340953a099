package index

import (
	"sync"

	"tidepool/internal/recall/evidence"
)

// maxCuts is how many bytes of texts are kept cut: some 4,000 memories of 100 words.
const maxCuts = 6 << 20

// cuts keeps the texts of memories that were read lately, cut, so that prompts about the same things need not read them again. It has two
// generations: what is asked for moves to the younger one, and when that has half of the bytes, the older one is dropped. Safe for concurrent
// use.
type cuts struct {
	mu         sync.Mutex
	young, old map[uint32]kept
	size       [2]int // bytes of the young and the old
	most       int    // bytes
}

// A kept text is known by its hash: a memory may have changed since.
type kept struct {
	hash uint64
	cut  *evidence.Cut
}

func newCuts() cuts { return cuts{young: map[uint32]kept{}, most: maxCuts} }

// get returns the text of a memory with a hash; nil: it is not kept.
func (c *cuts) get(n uint32, hash uint64) *evidence.Cut {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k, ok := c.young[n]; ok {
		if k.hash != hash {
			return nil
		}
		return k.cut
	}
	k, ok := c.old[n]
	if !ok || k.hash != hash {
		return nil
	}
	c.drop(n)
	c.add(n, k)
	return k.cut
}

// put keeps the text of a memory.
func (c *cuts) put(n uint32, hash uint64, cut *evidence.Cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(n)
	c.add(n, kept{hash, cut})
}

// delete forgets the text of a memory.
func (c *cuts) delete(n uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(n)
}

func (c *cuts) bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size[0] + c.size[1]
}

// perKept is about what a map takes for one, in bytes.
const perKept = 64

// add adds to the young. What alone is too large is not kept. mu is held.
func (c *cuts) add(n uint32, k kept) {
	size := k.cut.Bytes() + perKept
	if size > c.most/2 {
		return
	}
	if c.size[0]+size > c.most/2 {
		c.old, c.young = c.young, map[uint32]kept{}
		c.size = [2]int{0, c.size[0]}
	}
	c.young[n] = k
	c.size[0] += size
}

// drop removes a memory from the young and the old. mu is held.
func (c *cuts) drop(n uint32) {
	for i, of := range []map[uint32]kept{c.young, c.old} {
		if k, ok := of[n]; ok {
			c.size[i] -= k.cut.Bytes() + perKept
			delete(of, n)
		}
	}
}
