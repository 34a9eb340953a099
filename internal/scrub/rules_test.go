package scrub

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func rulesOf(t testing.TB, s *Scrubber) *ruleSet {
	t.Helper()
	set, err := s.rules()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Each rule finds texts that are made from its expression: ten, or four that the race detector watches.
func TestEveryRuleFindsItsForm(t *testing.T) {
	s := newScrubber(t)
	set := rulesOf(t, s)
	if len(set.rules) < 230 {
		t.Errorf("%d rules", len(set.rules))
	}
	examples := 10
	if raceDetector {
		examples = 4
	}
	e := exampler{rand.New(rand.NewPCG(1, 2))}
	for _, r := range set.rules {
		if r.own {
			continue // TestOwnForms
		}
		made := 0
		for range 5000 {
			text := "it is\n" + e.example(t, r) + "\nthere"
			want := naive(t, set, r, text)
			if len(want) == 0 {
				continue // too little entropy, a stop word
			}
			if _, found := s.Text(text); !covers(found, want[0]) {
				t.Errorf("%s: %q in %q, found %v", r.id, text[want[0].Start:want[0].End], text, found)
			}
			if made++; made == examples {
				break
			}
		}
		if made == 0 {
			t.Errorf("%s: no example", r.id)
		}
	}
}

// What the rules find one by one, each over the whole text, is found.
func TestSearchAgreesWithTheExpressions(t *testing.T) {
	s := newScrubber(t)
	set := rulesOf(t, s)
	words := []string{
		"the key", "token: ", "secret=", "curl -u ", " ", "\n", "\t", "\"", "'", "; ", ", ", "=> ", "they asked", "password", "api_key", "-----BEGIN ",
		"0123456789abcdef", "é世", "\xff", "https://", "@host/", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	}
	rapid.Check(t, func(rt *rapid.T) {
		e := exampler{rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))}
		var b strings.Builder
		for range rapid.IntRange(1, 12).Draw(rt, "pieces") {
			if rapid.Bool().Draw(rt, "is word") {
				b.WriteString(rapid.SampledFrom(words).Draw(rt, "word"))
				continue
			}
			text := e.example(t, rapid.SampledFrom(set.rules).Draw(rt, "rule"))
			b.WriteString(text[rapid.IntRange(0, len(text)/2).Draw(rt, "from"):])
		}
		text := b.String()
		_, found := s.Text(text)
		for _, r := range set.rules {
			for _, want := range naive(t, set, r, text) {
				if !covers(found, want) && !isMark(text[want.Start:want.End]) {
					rt.Fatalf("%s: %q in %q, found %v", r.id, text[want.Start:want.End], text, found)
				}
			}
		}
	})
}

// A sieve accepts what its expression matches.
func TestSieve(t *testing.T) {
	set := rulesOf(t, newScrubber(t))
	rapid.Check(t, func(rt *rapid.T) {
		r := rapid.SampledFrom(set.rules).Draw(rt, "rule")
		e := exampler{rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))}
		core, rest := e.of(r.core), rapid.String().Draw(rt, "rest")
		sieve, err := newSieve(r.core, false)
		if err != nil {
			rt.Fatal(err)
		}
		if strings.Contains(r.source, "$") || strings.Contains(r.source, `\z`) {
			rest = "" // the core may match at the end only
		}
		if end, _, ok := sieve.longest(core+rest, false); !ok || end < len(core) {
			rt.Fatalf("%s: %d, %v of %q, which begins with %q", r.id, end, ok, core+rest, core)
		}
		everywhere, err := newSieve(r.core, true)
		if err != nil {
			rt.Fatal(err)
		}
		if _, _, ok := everywhere.longest(rest+core, false); !ok {
			rt.Fatalf("%s: nothing in %q", r.id, rest+core)
		}
	})
}

func TestKeywords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[abk_]{1,4}`), 1, 8, rapid.ID[string]).Draw(rt, "words")
		text := rapid.StringMatching(`[abkABK_é ]{0,30}`).Draw(rt, "text")
		type hit struct{ word, end int }
		want := make(map[hit]bool)
		for i, word := range words {
			for at := range len(text) {
				if at+len(word) <= len(text) && strings.EqualFold(text[at:at+len(word)], word) {
					want[hit{i, at + len(word)}] = true
				}
			}
		}
		newAutomaton(words).find(text, func(word, end int) bool {
			if !want[hit{word, end}] {
				rt.Errorf("%q ends at %d of %q, or was found twice", words[word], end, text)
			}
			delete(want, hit{word, end})
			return true
		})
		if len(want) > 0 {
			rt.Errorf("words %q in %q: not found %v", words, text, want)
		}
	})
}
