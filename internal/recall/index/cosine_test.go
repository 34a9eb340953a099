package index

import (
	"testing"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// Vectors count as much as the constants say: nothing as long as nobody has measured what they add.
func TestCosine(t *testing.T) {
	x, model := New(), naive{}
	for n, text := range []string{"retry the gateway", "retry the header"} {
		m := memory.Memory{N: uint32(n), Content: text}
		x.Put(DocOf(&m))
		model[m.N] = m
	}
	asked := 0
	q := Query{Text: "retry", Read: model.read, Cosine: func([]uint32) map[uint32]float64 {
		asked++
		return map[uint32]float64{0: .9}
	}}
	first := func() uint32 {
		t.Helper()
		r, err := x.Rank(q)
		if err != nil || len(r.Candidates) != 2 {
			t.Fatal(r, err)
		}
		return r.Candidates[0].N
	}
	if got := first(); got != 1 || asked != 0 { // of equals the newer
		t.Errorf("%d is the first, vectors were asked for %d times", got, asked)
	}
	c := evidence.Fitted()
	c.Cosine = 1
	q.Constants = &c
	if got := first(); got != 0 || asked != 1 {
		t.Errorf("%d is the first, vectors were asked for %d times", got, asked)
	}
}
