package intent

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tidepool/internal/wording"
)

// A Reading is what a question was taken to mean.
type Reading struct {
	Kind        string   // such as "add_method"; "other" where the words name no change
	Probability float64  // 0 to 1, of Kind among those that make sense for the symbol
	Second      string   // the next best kind
	Because     []string // what it was read from, the most telling first; quoted words, and what the symbol is
	Terms       Terms
	// Senseless reports that the words clearly name a change that cannot be made to
	// such a symbol. Kind is that change.
	Senseless bool
	// Denied reports that the words say what is not to be done, and not what is. Kind is "other".
	Denied bool
}

//go:embed weights.txt
var weightsText string

var trained = sync.OnceValue(func() *Model {
	m, err := ParseModel(strings.NewReader(weightsText))
	if err != nil {
		panic(fmt.Sprintf("intent: weights.txt does not parse: %v", err))
	}
	return m
})

// Read reads a question about a symbol: what it names outright, and else what the weights make of it. What it says is not to
// be done counts for nothing.
func Read(text string, s Subject) Reading {
	whole := wording.ClipBytes(text, longest)
	if kind, words, ok := stated(whole, s); ok && inverse(kind) {
		return outright(kind, words, whole, s)
	}
	said, denied := affirmed(whole)
	if kind, words, ok := stated(said, s); ok {
		return outright(kind, words, said, s)
	}
	r := trained().Read(said, s)
	if denied && (r.Kind == "other" || r.Probability < sure) {
		return Reading{Kind: "other", Probability: 1, Denied: true}
	}
	return r
}

// inverse reports whether a change is also named by saying what a symbol no longer does.
func inverse(kind string) bool { return kind == "remove_result" || kind == "remove_parameter" }

func outright(kind, words, text string, s Subject) Reading {
	return Reading{Kind: kind, Probability: 1, Because: []string{"'" + words + "'"}, Terms: termsOf(text, kind, s)}
}

// TermsOf returns the terms that a text gives of a change whose kind is known.
func TermsOf(text, kind string, s Subject) Terms {
	return termsOf(wording.ClipBytes(text, longest), kind, s)
}

// longest bounds what is read of a question, in bytes: finding types takes time
// that grows with its square, 40 ms at most for 2,000.
const longest = 4000

// sure is the probability from which words alone are taken to mean a change that
// makes no sense for the symbol.
const sure = 0.97

// certain is the probability of a sensible reading from which it is kept anyway.
const certain = 0.95

// Read reads a question about a symbol with the weights of m.
func (m *Model) Read(text string, s Subject) Reading {
	text = wording.ClipBytes(text, longest)
	list := tokens(text, s)
	found := features(list, s.Class)
	p := m.among(softmax(m.score(found)), s.Class)
	best := top(p)
	r := Reading{Kind: m.kinds[best], Probability: p[best]}
	kind, senseless := impossible(text, s)
	if !senseless && p[best] < certain {
		kind, senseless = m.plain(list, s)
	}
	if senseless {
		r = Reading{Kind: kind, Senseless: true}
		best = slices.Index(m.kinds, kind)
		found = features(list, Unknown)
	}
	r.Because = m.because(found, list, best, s.Class)
	p[best] = -1
	r.Second = m.kinds[top(p)]
	r.Terms = termsOf(text, r.Kind, s)
	return r
}

// plain reads the words without regard to what the symbol is, and reports whether
// they clearly mean what cannot be.
func (m *Model) plain(list []token, s Subject) (string, bool) {
	sensible := Sensible(s.Class)
	if sensible == nil {
		return "", false
	}
	p := softmax(m.score(features(list, Unknown)))
	impossible := 0.0
	for i, kind := range m.kinds {
		if slices.Contains(sensible, meant(kind, s.Class)) {
			p[i] = 0
		}
		impossible += p[i]
	}
	return m.kinds[top(p)], impossible >= sure
}

func top(p []float64) int { return slices.Index(p, slices.Max(p)) }
