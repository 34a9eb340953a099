// Package index finds memories by their words, in memory.
//
// It keeps the words of each memory, and what ranking and filters need of it: project, session and place there, kind, trust, confidence,
// time. It keeps no text. internal/fulltext has the postings, internal/recall/evidence says what they are worth.
package index

import (
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"time"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// A Doc is a memory as the index takes it.
type Doc struct {
	N          uint32
	Project    string // its key
	Session    string // "": none, so it has no neighbours
	Turn       int
	Kind       memory.Kind
	Trust      memory.Trust
	Confidence float64 // 0 to 1, kept with seven digits
	Superseded bool
	Text       string    // see DocOf; not kept: empty where the index returns a Doc
	At         time.Time // kept in milliseconds; the zero time is kept
}

// An Index finds memories. It is safe for concurrent use: rankings run beside each other and beside one change. Nothing runs in the
// background.
type Index struct {
	writing sync.Mutex      // held for the whole of a change, before mu
	words   *fulltext.Index // its numbers are slots

	mu        sync.RWMutex
	docs      []doc             // by slot
	sessionOf []uint32          // by slot, noSession for one of nothing; apart from docs, as each posting asks for it
	slots     map[uint32]uint32 // by number of the memory
	free      []uint32          // slots of nothing
	sessions  []session         // by number; one for each memory without a session, too
	vacant    []uint32          // sessions of nothing
	named     map[string]uint32 // sessions by name
	names     names             // of projects, kinds, trusts
	size      uint64            // of the texts together, in bytes
	groups    group             // sessions of several memories
	surest    float32           // the highest confidence that a memory has had

	idle chan *ranker // one that no prompt uses; a pool would forget the stems that it knows between two prompts
	cuts cuts
}

// A doc is what is kept of a memory. There may be 100,000, so it has 56 bytes and no pointer.
type doc struct {
	n                    uint32
	project, kind, trust uint32 // in names
	turn                 int64
	at                   int64  // milliseconds since 1970; noTime: unknown
	hash                 uint64 // of the text
	size                 uint32 // of the text, in bytes
	confidence           float32
	superseded, living   bool
}

// A session is memories that are neighbours.
type session struct {
	name string
	docs []uint32 // slots, by turn and then by number
	size uint64   // of their texts, in bytes
}

// A group is how many sessions there are, and how long their texts are together.
type group struct {
	sessions int
	size     uint64 // bytes
}

const (
	noTime    = -1 << 63
	noSession = math.MaxUint32
)

// New returns an empty index.
func New() *Index {
	return &Index{
		words: fulltext.New(fields()), slots: map[uint32]uint32{}, named: map[string]uint32{}, names: newNames(),
		idle: make(chan *ranker, 1), cuts: newCuts(),
	}
}

// fields says that a memory is one text. The ranking of fulltext is not used, so the constants do not matter.
func fields() fulltext.Weights {
	c := evidence.Fitted()
	return fulltext.Weights{Weight: []float64{1}, Length: []float64{c.B}, K1: c.K1}
}

// Put adds a memory, or replaces the one with its number. A memory whose text is the same keeps its words, so that feedback costs little.
func (x *Index) Put(d Doc) {
	x.put(d, func(slot uint32) { x.words.Put(slot, []string{d.Text}) })
}

// A Cut is a memory whose text was cut into words. Several goroutines may cut memories for one index.
type Cut struct {
	doc   Doc
	words *fulltext.Cut
}

// CutDoc cuts the text of a memory.
func CutDoc(cutter *fulltext.Cutter, d Doc) Cut { return Cut{d, cutter.Document([]string{d.Text})} }

// PutCut is Put for a memory whose text was cut before.
func (x *Index) PutCut(c Cut) {
	x.put(c.doc, func(slot uint32) { x.words.PutCut(slot, c.words) })
}

// put adds a memory, and its words with a function if there are others than before.
func (x *Index) put(d Doc, words func(slot uint32)) {
	x.writing.Lock()
	defer x.writing.Unlock()
	kept := x.keep(d)
	x.mu.Lock()
	slot, old := x.place(kept.n)
	same := old && x.docs[slot].hash == kept.hash && x.docs[slot].size == kept.size
	if old {
		x.leave(slot)
	}
	x.docs[slot] = kept
	x.join(slot, d.Session)
	x.mu.Unlock()
	if !same {
		words(slot)
	}
}

// Delete removes a memory. One that is not there is none. Its words stay in the index and in snapshots until many memories are deleted: an
// index that is to have nothing of what was forgotten is built anew.
func (x *Index) Delete(n uint32) {
	x.writing.Lock()
	defer x.writing.Unlock()
	slot, ok := x.slots[n]
	if !ok {
		return
	}
	x.words.Delete(slot) // before the slot is another's
	x.cuts.delete(n)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.leave(slot)
	delete(x.slots, n)
	x.docs[slot] = doc{}
	x.free = append(x.free, slot)
}

// Docs returns how many memories there are.
func (x *Index) Docs() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.slots)
}

// Bytes returns about how much memory the index takes.
func (x *Index) Bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	const perDoc, perSlot, perSession = 56 + 4, 12, 96
	return x.words.Bytes() + x.cuts.bytes() + perDoc*cap(x.docs) + perSlot*len(x.slots) + perSession*cap(x.sessions)
}

// ranker returns one that nobody else uses.
func (x *Index) ranker() *ranker {
	select {
	case r := <-x.idle:
		return r
	default:
		return &ranker{cutter: fulltext.NewCutter()}
	}
}

// giveBack keeps a ranker for the next prompt, unless there is one.
func (x *Index) giveBack(r *ranker) {
	select {
	case x.idle <- r:
	default:
	}
}

// hashOf returns the FNV-1a hash of a text.
func hashOf(text string) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(text))
	return hash.Sum64()
}

// keep returns what is kept of a memory.
func (x *Index) keep(d Doc) doc {
	k := doc{
		n: d.N, turn: int64(d.Turn), at: noTime, hash: hashOf(d.Text), size: uint32(len(d.Text)), confidence: float32(d.Confidence),
		superseded: d.Superseded, living: true,
	}
	if !d.At.IsZero() {
		k.at = d.At.UnixMilli()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	k.project, k.kind, k.trust = x.names.number(d.Project), x.names.number(string(d.Kind)), x.names.number(string(d.Trust))
	return k
}

// place returns the slot of a memory, and whether it had one. mu is held.
func (x *Index) place(n uint32) (slot uint32, old bool) {
	if slot, old = x.slots[n]; old {
		return slot, true
	}
	if last := len(x.free) - 1; last >= 0 {
		slot, x.free = x.free[last], x.free[:last]
	} else {
		slot = uint32(len(x.docs))
		x.docs, x.sessionOf = append(x.docs, doc{}), append(x.sessionOf, noSession)
	}
	x.slots[n] = slot
	return slot, false
}

// join puts a memory into its session. mu is held.
func (x *Index) join(slot uint32, name string) {
	number, ok := x.named[name]
	if !ok || name == "" {
		if last := len(x.vacant) - 1; last >= 0 {
			number, x.vacant = x.vacant[last], x.vacant[:last]
		} else {
			number = uint32(len(x.sessions))
			x.sessions = append(x.sessions, session{})
		}
		x.sessions[number] = session{name: name}
		if name != "" {
			x.named[name] = number
		}
	}
	s := &x.sessions[number]
	x.groups.remove(s)
	at, _ := slices.BinarySearchFunc(s.docs, slot, x.inOrder)
	s.docs = slices.Insert(s.docs, at, slot)
	s.size += uint64(x.docs[slot].size)
	x.size += uint64(x.docs[slot].size)
	x.surest = max(x.surest, x.docs[slot].confidence)
	x.groups.add(s)
	x.sessionOf[slot] = number
}

// leave takes a memory out of its session. mu is held.
func (x *Index) leave(slot uint32) {
	number := x.sessionOf[slot]
	x.sessionOf[slot] = noSession
	s := &x.sessions[number]
	x.groups.remove(s)
	if at, ok := slices.BinarySearchFunc(s.docs, slot, x.inOrder); ok {
		s.docs = slices.Delete(s.docs, at, at+1)
	}
	s.size -= uint64(x.docs[slot].size)
	x.size -= uint64(x.docs[slot].size)
	x.groups.add(s)
	if len(s.docs) > 0 {
		return
	}
	if s.name != "" {
		delete(x.named, s.name)
	}
	x.sessions[number] = session{}
	x.vacant = append(x.vacant, number)
}

// add counts a session if it has several memories.
func (g *group) add(s *session) {
	if len(s.docs) > 1 {
		g.sessions, g.size = g.sessions+1, g.size+s.size
	}
}

func (g *group) remove(s *session) {
	if len(s.docs) > 1 {
		g.sessions, g.size = g.sessions-1, g.size-s.size
	}
}

// inOrder orders the memories of a session.
func (x *Index) inOrder(a, b uint32) int {
	one, other := &x.docs[a], &x.docs[b]
	switch {
	case one.turn != other.turn:
		if one.turn < other.turn {
			return -1
		}
		return 1
	case one.n < other.n:
		return -1
	case one.n > other.n:
		return 1
	}
	return 0
}
