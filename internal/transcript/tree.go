package transcript

import (
	"crypto/sha256"
	"encoding/hex"
)

// A tree says which prompts lead to the last record of a file. Of a record it keeps the nearest prompt on its way to the root
// alone. It takes about 50 bytes a record.
type tree struct {
	records map[recordID]int32 // the prompt of each record; none: it stands before the first one
	parents []int32            // the prompt that each prompt follows, or none
	leaf    int32              // the prompt of the last record
}

const none int32 = -1

// A recordID stands for a UUID: its 16 bytes, or a hash of what is none.
type recordID [16]byte

func idOf(uuid string) recordID {
	var id recordID
	if len(uuid) == 36 {
		var digits [36]byte
		n := 0
		for i := range len(uuid) {
			if uuid[i] != '-' {
				digits[n] = uuid[i]
				n++
			}
		}
		if n == 32 {
			if _, err := hex.Decode(id[:], digits[:n]); err == nil {
				return id
			}
		}
	}
	sum := sha256.Sum256([]byte(uuid))
	copy(id[:], sum[:])
	return id
}

func newTree() tree { return tree{records: map[recordID]int32{}, leaf: none} }

// has reports whether a record was there before.
func (t *tree) has(uuid string) bool {
	_, ok := t.records[idOf(uuid)]
	return uuid != "" && ok
}

// add makes a record the last one and returns its prompt, itself if it is one. A parent that is not in the file is taken for
// the record before it: lines get lost, and nothing is called abandoned without a sign of it.
func (t *tree) add(e Event, prompt bool) int32 {
	at := t.leaf
	if e.Root {
		at = none
	} else if known, ok := t.records[idOf(e.Parent)]; ok && e.Parent != "" {
		at = known
	}
	if prompt {
		t.parents = append(t.parents, at)
		at = int32(len(t.parents) - 1)
	}
	if e.UUID != "" {
		t.records[idOf(e.UUID)] = at
	}
	t.leaf = at
	return at
}

// undo takes back the last prompts on the way to the last record.
func (t *tree) undo(n int) {
	for ; n > 0 && t.leaf != none; n-- {
		t.leaf = t.parents[t.leaf]
	}
}

// abandoned says of each prompt whether it leads nowhere.
func (t *tree) abandoned() []bool {
	off := make([]bool, len(t.parents))
	for i := range off {
		off[i] = true
	}
	for at := t.leaf; at != none; at = t.parents[at] {
		off[at] = false
	}
	return off
}
