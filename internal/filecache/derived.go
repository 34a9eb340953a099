package filecache

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// A Derived is something large that can be made again from the text of one file, such as its syntax tree, until a [Bound] drops it. The
// zero value has made nothing. Safe for concurrent use.
type Derived[V any] struct {
	kept atomic.Pointer[derived[V]]
	turn sync.Mutex // makes
}

type derived[V any] struct {
	value V
	entry
}

// Get returns what is kept, or else what make makes, which occupies about so many bytes. It is kept for good if the bound is nil. Two
// calls may return two values that were made of the same text.
func (d *Derived[V]) Get(bound *Bound, make func() (value V, bytes int)) V {
	if k := d.kept.Load(); k != nil {
		if !k.used.Load() {
			k.used.Store(true)
		}
		return k.value
	}
	d.turn.Lock()
	defer d.turn.Unlock()
	if k := d.kept.Load(); k != nil {
		return k.value
	}
	value, size := make()
	k := &derived[V]{value: value}
	d.kept.Store(k)
	if bound != nil {
		k.size, k.drop = size, func() { d.kept.Store(nil) }
		bound.keep(&k.entry)
	}
	return k.value
}

// keptDerived bounds what derived values occupy, in bytes, unless a [Bound] has a limit of its own: syntax trees of Go of 150 KB of text,
// or tokens of another language of 0.6 to 1.2 MB. With tokens of 256 KB each question about a generated Python file of 450 KB read it
// again. With 5 MB a daemon that was asked about gonum, 312,000 lines, occupied 62 MB at its peak, and 53 to 56 MB with this; it took a
// quarter more processor time, for its garbage.
const keptDerived = 3 << 20

// A Bound limits how much is kept of what was made of many files: a new value drops the oldest of those that were not used since
// the last look at them, until the limit is met. The latest stays, however large. The zero value is ready. Safe for concurrent use.
type Bound struct {
	Limit int // of what the values occupy, in bytes; 0: 5 MB. Set it before the first use

	mu    sync.Mutex
	all   []*entry // the oldest first
	bytes int
}

// An entry is a value as a bound sees it.
type entry struct {
	size int
	drop func()
	used atomic.Bool // since the last look
}

func (b *Bound) keep(e *entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, e)
	for b.bytes += e.size; b.bytes > cmp.Or(b.Limit, keptDerived) && len(b.all) > 1; {
		oldest := b.all[0]
		b.all[0] = nil
		b.all = b.all[1:]
		if oldest.used.Swap(false) {
			b.all = append(b.all, oldest)
			continue
		}
		oldest.drop()
		b.bytes -= oldest.size
	}
}
