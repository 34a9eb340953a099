package fulltext

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func weights() Weights {
	return Weights{Weight: []float64{3, 2, 0.5}, Length: []float64{0.4, 0.75, 0.3}, K1: 1.5}
}

// vocabulary has words that share stems and prefixes, identifiers whose parts are others of them, a stop word, a word without a term.
func vocabulary() []string {
	return strings.Fields("retry retries retried gateway jitter cap header HeaderParser header_parser.go parser v1.26.0 1.26 the x 全文検索 検索 réglage reglage go")
}

func drawText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary()), 0, 12).Draw(t, label), " ")
}

func drawFields(t *rapid.T) []string {
	fields := make([]string, rapid.IntRange(0, 3).Draw(t, "fields"))
	for i := range fields {
		fields[i] = drawText(t, "field")
	}
	return fields
}

// Whatever was put, replaced, deleted, frozen, merged, saved and loaded: a search finds what reading all texts finds, in that order.
func TestIndexFindsWhatReadingAllTextsFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(weights())
		model := &naive{weights(), map[uint32][]string{}}
		id := rapid.Uint32Range(0, 30)
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id, fields := id.Draw(t, "id"), drawFields(t)
				x.Put(id, fields)
				model.texts[id] = fields
			},
			"delete": func(t *rapid.T) {
				id := id.Draw(t, "id")
				x.Delete(id)
				delete(model.texts, id)
			},
			"freeze":   func(*rapid.T) { lock(x, x.freeze) },
			"merge":    func(*rapid.T) { lock(x, func() { x.replace(x.segments) }) },
			"snapshot": func(t *rapid.T) { x = reload(t, x) },
			"search": func(t *rapid.T) {
				q := Query{Text: drawText(t, "query"), Limit: rapid.SampledFrom([]int{1, 2, 5, 100}).Draw(t, "limit")}
				if rapid.Bool().Draw(t, "short cuts") {
					x.from = sizes{}
				}
				if rapid.Bool().Draw(t, "quoted") {
					q.Text = q.Text + ` "` + drawPhrase(t) + `"`
				}
				if rapid.Bool().Draw(t, "filtered") {
					q.Keep = func(id uint32) bool { return id%3 == 0 }
				}
				also := map[uint32][]string{}
				if rapid.Bool().Draw(t, "also") {
					d := Document{id.Draw(t, "id"), drawFields(t)}
					q.Also, also[d.ID] = []Document{d}, d.Fields
				}
				if rapid.Bool().Draw(t, "one field") {
					q.Only = []Field{Field(rapid.IntRange(0, len(weights().Weight)-1).Draw(t, "field"))}
				}
				q.Fields = func(id uint32) []string { return model.texts[id] }
				same := q
				if rapid.Bool().Draw(t, "among") {
					same = among(&q, rapid.SliceOf(id).Draw(t, "set"))
				}
				compare(t, x.Search(q), model.search(same, also), q.Limit)
			},
			"": func(t *rapid.T) {
				if got := x.Docs(); got != len(model.texts) {
					t.Fatalf("%d documents, not %d", got, len(model.texts))
				}
			},
		})
	})
}

// drawPhrase returns plain words, among them one with a term.
func drawPhrase(t *rapid.T) string {
	plain := rapid.SampledFrom(strings.Fields("retry gateway jitter cap header the x"))
	return strings.TrimSpace(strings.Join(rapid.SliceOfN(plain, 0, 1).Draw(t, "phrase"), " ") + " gateway")
}

// among makes a query search some documents only, and returns the same query in words of Keep, for who knows no sets.
func among(q *Query, ids []uint32) (same Query) {
	same = *q
	q.Among = Set{}
	for _, id := range ids {
		q.Among = q.Among.With(id, true)
	}
	same.Keep = func(id uint32) bool { return slices.Contains(ids, id) && (q.Keep == nil || q.Keep(id)) }
	return same
}

func lock(x *Index, change func()) {
	x.writing.Lock()
	defer x.writing.Unlock()
	change()
}

func reload(t *rapid.T, x *Index) *Index {
	var saved bytes.Buffer
	if err := x.Snapshot(&saved); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(&saved, weights())
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func compare(t *rapid.T, got Result, want []Hit, limit int) {
	t.Helper()
	if len(got.Hits) != min(limit, len(want)) || got.Matches != len(want) || got.Unchecked != 0 {
		t.Fatalf("%d hits of %d matches, %d unchecked; %d were to be found: %v, not %v", len(got.Hits), got.Matches, got.Unchecked, len(want), got.Hits, want)
	}
	for i, hit := range got.Hits {
		if hit.ID != want[i].ID || math.Abs(hit.Score-want[i].Score) > 1e-9 {
			t.Fatalf("hit %d is %v, not %v: %v, not %v", i, hit, want[i], got.Hits, want)
		}
	}
}
