package fulltext

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func indexOf(texts ...string) *Index {
	x := New(weights())
	for id, text := range texts {
		x.Put(uint32(id), []string{text})
	}
	return x
}

func idsOf(r Result) []uint32 {
	var ids []uint32
	for _, hit := range r.Hits {
		ids = append(ids, hit.ID)
	}
	return ids
}

func TestSearchNamesWordsThatCountForNothing(t *testing.T) {
	x := indexOf("the gateway retries", "gateway", "header parser")
	r := x.Search(Query{Text: "Why does the Walrus retry parser.gox at x gateway"})
	if want := []string{"Walrus", "parser.gox"}; !slices.Equal(r.Unknown, want) {
		t.Errorf("unknown: %q", r.Unknown)
	}
	if want := []string{"Why", "does", "the", "at", "x"}; !slices.Equal(r.Ignored, want) {
		t.Errorf("ignored: %q", r.Ignored)
	}
	if want := []string{"retri", "parser", "gateway"}; !slices.Equal(r.Terms, want) {
		t.Errorf("terms: %q", r.Terms)
	}
	if r := x.Search(Query{Text: "the"}); r.Matches != 0 || len(r.Hits) != 0 || len(r.Ignored) != 1 {
		t.Errorf("a stop word finds %v", r)
	}
}

func TestSearchOrdersEquals(t *testing.T) {
	x := indexOf("gateway", "gateway", "gateway gateway", "gateway", "gateway")
	lower := func(a, b uint32) bool { return a < b }
	first := func(id uint32) bool { return id == 0 || id == 2 }
	for _, test := range []struct {
		q    Query
		want []uint32
	}{
		{Query{}, []uint32{2, 4, 3, 1, 0}},
		{Query{Above: lower}, []uint32{2, 0, 1, 3, 4}},
		{Query{Above: lower, Demote: first}, []uint32{2, 1, 3, 4, 0}},
		{Query{Limit: 2}, []uint32{2, 4}},
		{Query{Limit: 1, Above: lower}, []uint32{2}},
		{Query{Limit: 2, Keep: func(id uint32) bool { return id != 2 }}, []uint32{4, 3}},
	} {
		test.q.Text = "gateway"
		r := x.Search(test.q)
		if matches := 5; !slices.Equal(idsOf(r), test.want) || test.q.Keep == nil && r.Matches != matches {
			t.Errorf("%+v: %v of %d", test.q, idsOf(r), r.Matches)
		}
	}
}

func TestSearchCountsTheRarestOfManyWords(t *testing.T) {
	x := New(weights())
	var query strings.Builder
	for i := range 100 {
		fmt.Fprintf(&query, "word%d ", i)
		for id := i; id < 100; id++ {
			x.Put(uint32(1000*i+id), []string{fmt.Sprintf("word%d", i)}) // word99 in one document, word0 in a hundred
		}
	}
	r := x.Search(Query{Text: query.String(), Limit: 1})
	if len(r.Terms) != maxTerms || r.Terms[0] != "word99" || !slices.Contains(r.Ignored, "word0") || slices.Contains(r.Ignored, "word36") {
		t.Errorf("%d terms from %s on, ignored: %v", len(r.Terms), r.Terms[0], r.Ignored)
	}
}

func TestPhrase(t *testing.T) {
	texts := []string{"the retry policy", "policy: retry", "max_retry_policy.go", "RetryPolicy", "retries, policies", "to be or not to be"}
	x := indexOf(texts...)
	fields := func(id uint32) []string { return texts[id : id+1] }
	for query, want := range map[string][]uint32{
		`"retry policy"`:             {3, 2, 0},
		`“Retry-Policy”`:             {3, 2, 0},
		`"the retry"`:                {0},
		`"retry policy" "max retry"`: {2},
		`"retry policy" the gateway`: {3, 2, 0},
		`"to be"`:                    {5},
		`"to be" retry`:              {5},
		`retry "policy`:              {4, 3, 2, 1, 0},
		`"" retry`:                   {4, 3, 2, 1, 0},
		`"retry gateway"`:            nil,
	} {
		r := x.Search(Query{Text: query, Fields: fields})
		got := idsOf(r)
		slices.Sort(got)
		slices.Reverse(got)
		if !slices.Equal(got, want) || r.Matches != len(want) || r.Unchecked != 0 {
			t.Errorf("%s finds %v of %d", query, got, r.Matches)
		}
	}
	if r := x.Search(Query{Text: `"retry policy"`}); len(r.Hits) != 0 || r.Matches != 0 || r.Unchecked != 5 {
		t.Errorf("without texts: %+v", r)
	}
}

func TestPhraseIsLookedForInTheBestDocuments(t *testing.T) {
	x := New(weights())
	for id := range uint32(maxChecked + 7) {
		x.Put(id, []string{"retry policy"})
	}
	asked := 0
	r := x.Search(Query{Text: `"retry policy"`, Fields: func(uint32) []string { asked++; return []string{"retry policy"} }})
	if asked != maxChecked || r.Matches != maxChecked || r.Unchecked != 7 || len(r.Hits) != defaultLimit {
		t.Errorf("%d texts read, %d matches, %d unchecked", asked, r.Matches, r.Unchecked)
	}
}

// With more documents than the mutable part takes, segments are frozen, merged and compacted, and all is found.
func TestIndexOfManyDocuments(t *testing.T) {
	x := New(weights())
	const n = 10 * maxRecent
	for id := range uint32(n) {
		x.Put(id, []string{fmt.Sprintf("gateway number%d", id%100)})
	}
	if len(x.segments) > 1+2 || len(x.segments) < 2 {
		t.Errorf("%d segments", len(x.segments))
	}
	for id := uint32(0); id < n; id += 4 {
		x.Delete(id)
	}
	for _, s := range x.segments {
		if s.deaths*5 > len(s.ids) {
			t.Errorf("%d of %d documents of a segment are dead", s.deaths, len(s.ids))
		}
	}
	asked := map[uint32]bool{}
	r := x.Search(Query{Text: "gateway number3", Keep: func(id uint32) bool {
		if id%4 == 0 {
			t.Fatalf("%d was deleted", id)
		}
		asked[id] = true
		return true
	}})
	living := len(asked)
	if living != n*3/4 || r.Matches != living || r.Hits[0].ID%100 != 3 {
		t.Errorf("%d documents, %d matches, the best is %d", living, r.Matches, r.Hits[0].ID)
	}
}

// A document that is replaced all the time is found by each search in exactly one state, while segments and their memory come and go.
func TestSearchWhileDocumentsChange(t *testing.T) {
	x := indexOf("gateway old")
	var searches sync.WaitGroup
	for range 4 {
		searches.Go(func() {
			for i := range 200 {
				if i%20 == 0 {
					if err := x.Snapshot(io.Discard); err != nil {
						t.Error(err)
					}
				}
				if r := x.Search(Query{Text: "gateway"}); r.Matches != 1 {
					t.Errorf("%d matches", r.Matches)
				}
			}
		})
	}
	for i := range 500 {
		x.Put(0, []string{fmt.Sprintf("gateway state%d", i)})
		if i%50 == 0 {
			lock(x, x.freeze)
			runtime.GC()
		}
	}
	searches.Wait()
}

func TestStemsBeginLikeTheirWords(t *testing.T) {
	var s stemmer
	for _, word := range strings.Fields("began bought children wrote people indices left thought dying skies lying news idly only early singly oed") {
		stem := s.find(word)
		if stem == "" || stem[0] != word[0] || baseOf(word) != "" && baseOf(word)[0] != word[0] {
			t.Errorf("%s has the stem %q", word, stem)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	c := newCorpus(b)
	var texts []string
	size := 0
	for range 2000 {
		text := strings.Join(c.document(), "\n")
		texts, size = append(texts, text), size+len(text)
	}
	cutter := newCutter()
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			cutter.cut(text, func(token) {})
		}
	}
}

// Whatever the text, each of its stretches is found as a phrase, however the query spells it: with other blanks, case and punctuation.
func TestEachStretchOfATextIsAPhrase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(append(vocabulary(), "parseHTTPHeaders", "user's", "max_retry-2", "全文検索Go", "a", "C3PO", "IDs", "ｶﾞｲﾄﾞ", "Straße", "10.0.0.1:80", "toBeOr")), 1, 8).Draw(t, "words")
		text := strings.Join(words, rapid.SampledFrom([]string{" ", ", ", "/", "\n", "_", "."}).Draw(t, "between"))
		pieces := piecesOf(text)
		from := rapid.IntRange(0, len(pieces)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(pieces)).Draw(t, "to")
		x := indexOf("something else", text)
		q := Query{Text: `"` + strings.Join(pieces[from:to], " ") + `"`, Fields: func(id uint32) []string { return []string{[]string{"something else", text}[id]} }}
		if r := x.Search(q); !slices.Equal(idsOf(r), []uint32{1}) {
			t.Fatalf("%s is not found in %q: %+v", q.Text, text, r)
		}
	})
}
