package index

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/recall/memory"
)

// saved returns the snapshot of an index of a few memories, with slots of nothing between them.
func saved(t *testing.T) []byte {
	x := New()
	for n := range uint32(12) {
		x.Put(DocOf(&memory.Memory{N: n, Content: "retry the gateway", Session: "one", Project: memory.Project{Key: "harbor"}}))
	}
	for n := range uint32(4) {
		x.Delete(2 * n)
	}
	var b bytes.Buffer
	if err := x.Snapshot(&b, 5); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A snapshot that was cut or damaged anywhere is refused, with the reason.
func TestDamagedSnapshotIsRefused(t *testing.T) {
	whole := saved(t)
	if _, _, err := Load(bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		data := slices.Clone(whole)
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "cut") {
			data = data[:at]
		} else {
			data[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		}
		_, _, err := Load(bytes.NewReader(data))
		if refused := new(SnapshotError); !errors.As(err, &refused) || refused.Hint() == "" {
			t.Fatalf("the snapshot is damaged at %d of %d: %v", at, len(whole), err)
		}
	})
}

// What Keep and Discount say of memories counts, and they are asked with what the index knows of each.
func TestKeepAndDiscount(t *testing.T) {
	model, x := naive{}, New()
	for n, project := range []string{"harbor", "quay", "harbor"} {
		m := memory.Memory{N: uint32(n), Project: memory.Project{Key: project}, Kind: memory.Fix, Content: "the gateway retries with jitter", Alpha: 1, Beta: 1}
		m.Content += []string{" a", " in the morning and at noon", " of every request that failed"}[n]
		model[m.N] = m
		x.Put(DocOf(&m))
	}
	q := Query{Text: "gateway jitter", Read: model.read, Keep: func(d Doc) bool { return d.Project == "harbor" && d.Kind == memory.Fix }}
	r, err := x.Rank(q)
	if err != nil || len(r.Candidates) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	best := r.Candidates[0]
	q.Discount = func(d Doc) float64 {
		if d.N == best.N {
			return .1
		}
		return 1
	}
	if r, err = x.Rank(q); err != nil || r.Candidates[1].N != best.N || r.Candidates[1].Addends.Factor != best.Addends.Factor*.1 {
		t.Fatalf("%+v, %v", r, err)
	}
}

// A memory that is gone when it is to be read is no candidate, and an error of reading is the error of the ranking.
func TestReadFails(t *testing.T) {
	x := New()
	x.Put(DocOf(&memory.Memory{N: 1, Content: "the gateway retries"}))
	r, err := x.Rank(Query{Text: "gateway retries", Read: naive{}.read})
	if err != nil || len(r.Candidates) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	broken := errors.New("broken")
	if _, err := x.Rank(Query{Text: "gateway", Read: func([]uint32) ([]memory.Memory, error) { return nil, broken }}); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}
