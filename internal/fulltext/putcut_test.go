package fulltext

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// An index of documents that were cut before is byte for byte the one that cuts them itself.
func TestPutCutIsPut(t *testing.T) {
	cutter := NewCutter()
	weights := Weights{Weight: []float64{1, 2, 3}, Length: []float64{.5, .5, .5}, K1: 1}
	rapid.Check(t, func(t *rapid.T) {
		one, other := New(weights), New(weights)
		for range rapid.IntRange(0, 20).Draw(t, "documents") {
			id, fields := uint32(rapid.IntRange(0, 9).Draw(t, "id")), drawFields(t)
			one.Put(id, fields)
			other.PutCut(id, cutter.Document(fields))
		}
		var a, b bytes.Buffer
		if err := one.Snapshot(&a); err != nil {
			t.Fatal(err)
		}
		if err := other.Snapshot(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("%d bytes, and %d", a.Len(), b.Len())
		}
	})
}
