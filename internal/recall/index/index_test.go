package index

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

// drawText draws words of which none is a part of another, so that a text is as long as it has words.
func drawText(t *rapid.T) string {
	words := strings.Fields("retry retries gateway jitter cap header the réglage pnpm flaky drain worker order web always")
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 8).Draw(t, "words"), " ")
}

func drawMemory(t *rapid.T) memory.Memory {
	m := memory.Memory{
		N:       rapid.Uint32Range(0, 25).Draw(t, "number"),
		Project: memory.Project{Key: rapid.SampledFrom([]string{"harbor", "quay"}).Draw(t, "project")},
		Kind:    rapid.SampledFrom([]memory.Kind{memory.Note, memory.Fix}).Draw(t, "kind"),
		Trust:   memory.Saved, Content: drawText(t),
		Session: rapid.SampledFrom([]string{"", "one", "two"}).Draw(t, "session"), Turn: rapid.IntRange(-2, 9).Draw(t, "turn"),
		Alpha: float64(rapid.IntRange(1, 3).Draw(t, "alpha")), Beta: 1,
	}
	if rapid.Bool().Draw(t, "superseded") {
		m.SupersededBy = "mem_000000000000"
	}
	if rapid.Bool().Draw(t, "dated") {
		m.Created = time.UnixMilli(rapid.Int64Range(0, 2e12).Draw(t, "created"))
	}
	return m
}

// reader reads memories from a map.
func (n naive) read(numbers []uint32) ([]memory.Memory, error) {
	var found []memory.Memory
	for _, number := range numbers {
		if m, ok := n[number]; ok {
			found = append(found, m)
		}
	}
	return found, nil
}

// Whatever was put, replaced, deleted, saved and loaded: an index finds what reading all memories finds, with the same figures, and ranks
// as one into which the memories were put alone.
func TestIndexFindsWhatReadingAllMemoriesFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New()
		model := naive{}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				m := drawMemory(t)
				x.Put(DocOf(&m))
				model[m.N] = m
			},
			"say more of": func(t *rapid.T) { // with the same text
				m, ok := model[rapid.Uint32Range(0, 25).Draw(t, "number")]
				if !ok {
					t.Skip()
				}
				m.Beta, m.Session = m.Beta+1, "three"
				x.Put(DocOf(&m))
				model[m.N] = m
			},
			"delete": func(t *rapid.T) {
				n := rapid.Uint32Range(0, 25).Draw(t, "number")
				x.Delete(n)
				delete(model, n)
			},
			"snapshot": func(t *rapid.T) { x = reload(t, x) },
			"rank": func(t *rapid.T) {
				text := drawText(t)
				compareFound(t, found(x, text), model.find(text, evidence.Fitted()))
				fresh := New()
				for _, m := range model {
					fresh.Put(DocOf(&m))
				}
				q := Query{Text: text, Limit: 50, Read: model.read}
				if diff := cmp.Diff(rank(t, fresh, q), rank(t, x, q)); diff != "" {
					t.Fatalf("the ranking is another one:\n%s", diff)
				}
			},
			"": func(t *rapid.T) {
				if x.Docs() != len(model) || x.Bytes() < 0 {
					t.Fatalf("%d memories in %d bytes, not %d", x.Docs(), x.Bytes(), len(model))
				}
			},
		})
	})
}

func rank(t *rapid.T, x *Index, q Query) evidence.Ranking {
	t.Helper()
	r, err := x.Rank(q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// found returns what an index finds by words alone.
func found(x *Index, text string) map[uint32]evidence.Found {
	c := evidence.Fitted()
	r := &ranker{cutter: fulltext.NewCutter()}
	list, _ := r.find(x, evidence.Ask(r.cutter, text, c), &Query{Limit: 50}, &c)
	of := map[uint32]evidence.Found{}
	for _, f := range list {
		of[f.found.N] = f.found
	}
	return of
}

func compareFound(t *rapid.T, got, want map[uint32]evidence.Found) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d memories, not %d", len(got), len(want))
	}
	for n, w := range want {
		g := got[n]
		for _, pair := range [][2]float64{{g.Neighbours, w.Neighbours}, {g.Best, w.Best}, {g.Session, w.Session}, {g.Factor, w.Factor}} {
			if math.Abs(pair[0]-pair[1]) > 1e-6 {
				t.Fatalf("memory %d is %+v, not %+v", n, g, w)
			}
		}
		if g.At.UnixMilli() != w.At.UnixMilli() || g.Alone != w.Alone {
			t.Fatalf("memory %d is of %v, not %v; alone: %v", n, g.At, w.At, g.Alone)
		}
	}
}

func reload(t *rapid.T, x *Index) *Index {
	var saved bytes.Buffer
	if err := x.Snapshot(&saved, 7); err != nil {
		t.Fatal(err)
	}
	loaded, seq, err := Load(&saved)
	if err != nil || seq != 7 {
		t.Fatal(seq, err)
	}
	return loaded
}
