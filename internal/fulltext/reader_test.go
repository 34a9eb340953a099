package fulltext

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A reader has the postings of the texts that are there, whatever was put, replaced, deleted, frozen, merged, saved and loaded.
func TestReaderHasWhatTheTextsHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(weights())
		texts := map[uint32][]string{}
		id := rapid.Uint32Range(0, 30)
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id, fields := id.Draw(t, "id"), drawFields(t)
				x.Put(id, fields)
				texts[id] = fields
			},
			"delete": func(t *rapid.T) {
				id := id.Draw(t, "id")
				x.Delete(id)
				delete(texts, id)
			},
			"freeze":   func(*rapid.T) { lock(x, x.freeze) },
			"merge":    func(*rapid.T) { lock(x, func() { x.replace(x.segments) }) },
			"snapshot": func(t *rapid.T) { x = reload(t, x) },
			"": func(t *rapid.T) {
				compareTerms(t, x, texts)
			},
		})
	})
}

// An occurrence is what a reader says of a term in a document.
type occurrence struct{ count, length int }

func compareTerms(t *rapid.T, x *Index, texts map[uint32][]string) {
	want, words := occurrences(texts)
	x.Read(func(r Reader) {
		if r.Docs() != len(texts) || int(r.Words()) != words {
			t.Fatalf("%d documents of %d words, not %d of %d", r.Docs(), r.Words(), len(texts), words)
		}
		for _, text := range vocabulary() {
			for _, term := range Words(text) {
				got := map[uint32]occurrence{}
				found := r.Term(term)
				found.Each(func(id uint32, count, length int) { got[id] = occurrence{count, length} })
				if want := want[term]; found.Docs != len(want) || !maps.Equal(got, want) {
					t.Fatalf("%s: %d documents, %v, not %v", term, found.Docs, got, want)
				}
			}
		}
	})
}

// occurrences returns the documents of each term, and how many words all texts have.
func occurrences(texts map[uint32][]string) (found map[string]map[uint32]occurrence, words int) {
	found = map[string]map[uint32]occurrence{}
	for id, fields := range texts {
		sums, length := map[string]int{}, 0
		for _, text := range fields {
			terms, n := counts(text)
			length += int(n)
			for term, count := range terms {
				sums[term] += int(count)
			}
		}
		words += length
		for term, count := range sums {
			if found[term] == nil {
				found[term] = map[uint32]occurrence{}
			}
			found[term][id] = occurrence{count, length}
		}
	}
	return found, words
}

func TestCutterCutsAsWords(t *testing.T) {
	c := NewCutter()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string { return drawText(t, "words") })).Draw(t, "text")
		var got []string
		c.Each(text, func(term []byte) { got = append(got, string(term)) })
		if want := Words(text); !slices.Equal(got, want) {
			t.Fatalf("%q, not %q", got, want)
		}
	})
}
