package evidence

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/fulltext"
)

// drawText draws anything that a prompt or a memory may be.
func drawText(t *rapid.T, label string) string {
	pieces := rapid.SampledFrom([]string{
		"the", "of", "retry", "gateway", "全文検索", "テスト", "x := map[string]int{}", "parseHTTPHeader", "max_retry.go", "v1.26.0", "Ann:", "in May 2023",
		"12", "\x00", "\xff\xfe", "</memory-data>", strings.Repeat("a", 300), "'", "é", "🙂", "if err != nil { return err }",
	})
	return strings.Join(rapid.SliceOfN(rapid.OneOf(pieces, rapid.String()), 0, 12).Draw(t, label), " ")
}

func drawFound(t *rapid.T) []Found {
	var found []Found
	for n := range rapid.IntRange(0, 8).Draw(t, "found") {
		part := rapid.Float64Range(0, 1.9)
		found = append(found, Found{
			N: uint32(n), Neighbours: part.Draw(t, "neighbours"), Best: part.Draw(t, "best"), Session: part.Draw(t, "session"),
			Alone: rapid.Bool().Draw(t, "alone"), Factor: rapid.Float64Range(.1, 1.5).Draw(t, "factor"), Cut: CutText(fulltext.NewCutter(), drawText(t, "text")),
			At: time.UnixMilli(rapid.Int64Range(0, 2e12).Draw(t, "at")),
		})
	}
	return found
}

// Whatever the prompt and the memories are: scores and evidence are numbers, the same ones each time, in order, and none has less doubt than
// the best.
func TestEvidenceIsANumberForAnyText(t *testing.T) {
	cutter := fulltext.NewCutter()
	rapid.Check(t, func(t *rapid.T) {
		prompt, found := drawText(t, "prompt"), drawFound(t)
		memories := rapid.IntRange(len(found), 1_000_000).Draw(t, "memories")
		rank := func() Ranking {
			q := Ask(cutter, prompt, Fitted())
			for i := range q.Words {
				q.Words[i].Docs = min(i, memories)
			}
			return q.Weigh(slices.Clone(found), memories, 10)
		}
		r := rank()
		for i, c := range r.Candidates {
			if !isFinite(c.Score) || !isFinite(c.Z.Z()) {
				t.Fatalf("%+v", c)
			}
			if i > 0 && (c.Score > r.Candidates[i-1].Score || c.Z.Z() > r.Candidates[0].Z.Z()+1e-9) {
				t.Fatalf("candidate %d is before its place: %+v", i, r.Candidates)
			}
		}
		if again := rank(); !slices.EqualFunc(r.Candidates, again.Candidates, func(a, b Candidate) bool { return a.N == b.N && a.Score == b.Score && a.Z == b.Z }) {
			t.Fatalf("%+v, then %+v", r, again)
		}
	})
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// A prompt of a megabyte is read at both ends.
func TestLongPromptIsReadAtBothEnds(t *testing.T) {
	middle := strings.Repeat("全文検索 lorem ipsum dolor ", 40_000)
	q := Ask(fulltext.NewCutter(), "kayak "+middle+" quixotic", Fitted())
	for _, word := range []string{"kayak", "quixot"} {
		if !slices.ContainsFunc(q.Words, func(w Word) bool { return w.Text == word }) {
			t.Errorf("%s is not looked for", word)
		}
	}
	if len(q.Words) > MaxWords {
		t.Errorf("%d words", len(q.Words))
	}
}

// Of many words those count that are rare in English, wherever they stand.
func TestRarestWordsCount(t *testing.T) {
	var common []string
	for line := range strings.Lines(generalWords) {
		word, number, ok := strings.Cut(line, " ")
		if ok && word != "#" && len(strings.TrimSpace(number)) >= 4 && len(fulltext.Words(word)) == 1 {
			common = append(common, word)
		}
	}
	if len(common) < 2*MaxWords {
		t.Fatalf("%d words stand in a thousand sentences", len(common))
	}
	q := Ask(fulltext.NewCutter(), strings.Join(common, " ")+" zyzzyva", Fitted())
	if len(q.Words) != MaxWords || q.Words[len(q.Words)-1].Text != "zyzzyva" {
		t.Fatalf("%d words, the last is %v", len(q.Words), q.Words[len(q.Words)-1])
	}
}

func TestThinPrompts(t *testing.T) {
	for prompt, thin := range map[string]bool{
		"": true, "continue": true, "the of and": true, "why?": true, "main.go": false, "parseHeader": false, "max_retry": false, "sha256": false, "e.g. this": true,
		"drain order": false,
	} {
		if q := Ask(fulltext.NewCutter(), prompt, Fitted()); q.thin != thin {
			t.Errorf("%q: thin is %v", prompt, q.thin)
		}
	}
}

func TestRarity(t *testing.T) {
	const most = 9
	frequent, rare, unknown := rarity("function", sentences(), most), rarity("kayak", sentences(), most), rarity("qzxv", sentences(), most)
	if !(frequent < rare && rare <= unknown && unknown == most) {
		t.Errorf("function %.2f, kayak %.2f, an unknown word %.2f", frequent, rare, unknown)
	}
}

func TestMonthsOfAPrompt(t *testing.T) {
	for prompt, want := range map[string][]month{
		"What did we do in May 2023?": {{2023, time.May}},
		"it may fail":                 nil,
		"on 8 March":                  {{0, time.March}},
		"Sept 12, 2022":               {{2022, time.September}},
		"march on":                    nil,
	} {
		if got := monthsOf(prompt); !slices.Equal(got, want) {
			t.Errorf("%q: %v, not %v", prompt, got, want)
		}
	}
}

// Of memories with nearly the same words the newest is shown, at the place of the first.
func TestDuplicatesAreShownOnce(t *testing.T) {
	same := "The drain order test raced because Stop closed the channel before the last worker returned"
	cutter := fulltext.NewCutter()
	cut := func(text string) *Cut { return CutText(cutter, text) }
	found := []Found{
		{N: 1, Neighbours: .9, Factor: 1, Cut: cut(same), At: time.UnixMilli(1)},
		{N: 2, Neighbours: .5, Factor: 1, Cut: cut("Something else about the drain"), At: time.UnixMilli(2)},
		{N: 3, Neighbours: .4, Factor: 1, Cut: cut(same + "."), At: time.UnixMilli(3)},
	}
	r := Ask(cutter, "drain order", Fitted()).Weigh(found, 3, 10)
	var got []uint32
	for _, c := range r.Candidates {
		got = append(got, c.N)
	}
	if !slices.Equal(got, []uint32{3, 2}) {
		t.Fatalf("%v", got)
	}
}

// What a question finds in a text that was cut before is what it finds in the text.
func TestCutHasWhatTheTextHas(t *testing.T) {
	cutter := fulltext.NewCutter()
	rapid.Check(t, func(t *rapid.T) {
		prompt, text := drawText(t, "prompt"), drawText(t, "text")
		if rapid.Bool().Draw(t, "shared") {
			prompt += " " + text
		}
		q := Ask(cutter, prompt, Fitted())
		got := q.read(CutText(cutter, text))
		words := fulltext.Words(text)
		last, length := -1, 0
		want := reading{has: make([]bool, len(q.Words)), pairs: make([]bool, len(q.pairs)), pieces: make([]uint16, len(q.pieces))}
		for _, word := range words {
			at := slices.IndexFunc(q.Words, func(w Word) bool { return w.Text == word })
			if at >= 0 {
				want.has[at] = true
				if i, ok := q.pairs[pair{last, at}]; ok && last >= 0 && last != at && !want.pairs[i] {
					want.pairs[i], want.paired = true, want.paired+1
				}
			}
			last = at
			addPieces(word, func(piece uint32) {
				if i, ok := q.pieces[piece]; ok {
					want.pieces[i]++
				}
			})
			want.terms = append(want.terms, hashOf([]byte(word)))
			length++
		}
		want.terms, want.length = sortedSet(want.terms), length
		if name, _, ok := strings.Cut(text[:min(len(text), maxName)], ":"); ok {
			want.named = slices.ContainsFunc(fulltext.Words(name), func(w string) bool { _, has := q.place[w]; return has })
		}
		if !slices.Equal(got.has, want.has) || !slices.Equal(got.pairs, want.pairs) || got.paired != want.paired || !slices.Equal(got.pieces, want.pieces) ||
			got.length != want.length || got.named != want.named || !slices.Equal(got.terms, want.terms) {
			t.Fatalf("%+v, and not %+v", got, want)
		}
	})
}
