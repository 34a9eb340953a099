package scrub

import (
	"slices"
	"sync"
	"sync/atomic"

	"tidepool/internal/fingerprint"
)

// maxTokens bounds the values of one registry that have a number of their own. The others have 0.
const maxTokens = 4096

// A Registry replaces the secrets of one session's texts, each by [SECRET_n], where n is the same for the same value as long as the
// session lives. It has keyed hashes of the values, never a value. It is safe for concurrent use.
type Registry struct {
	scrubber *Scrubber
	known    *knowledge

	mu      sync.Mutex
	numbers map[fingerprint.MAC]int // by value, from 1
}

// Registry returns the Registry of one session. The key is that of its prints.
func (s *Scrubber) Registry(key fingerprint.Key) *Registry {
	return s.registry(newKnowledge(key, s.allow))
}

func (s *Scrubber) registry(known *knowledge) *Registry {
	return &Registry{scrubber: s, known: known, numbers: make(map[fingerprint.MAC]int)}
}

// Learn adds known values. Prints that are no ones are left out; beyond 16,384 of them the oldest are forgotten.
func (r *Registry) Learn(prints ...fingerprint.Print) { r.known.learn(prints) }

// Text returns a text with [SECRET_n] in place of each secret, known values and known forms, and the places in order. A text without
// secrets is returned as it is. It fails as Scrubber.Text does.
func (r *Registry) Text(text string) (string, []Finding) { return r.replace(text, true, false) }

// Known is Text for known values only.
func (r *Registry) Known(text string) (string, []Finding) { return r.replace(text, false, false) }

// Beginning is Text for the beginning of a text whose rest is lost. What may be the beginning of a secret at its end is replaced,
// too: the last word, if it is long enough, and what begins as a known value does. The Rule of the latter is Cut.
func (r *Registry) Beginning(text string) (string, []Finding) { return r.replace(text, true, true) }

// replace replaces the secrets of a text. forms: those of known forms, too. cut: the rest of the text is lost.
func (r *Registry) replace(text string, forms, cut bool) (string, []Finding) {
	known := r.known.now.Load()
	found, err := r.scrubber.find(text, forms, known)
	if err != nil {
		return withheld(text, err)
	}
	if cut {
		found = known.closeEnd(text, found)
	}
	authenticator := known.key.Authenticator()
	return replace(text, found, func(h hit) string {
		if h.value == (fingerprint.MAC{}) {
			h.value = authenticator.Of(normalize(text[h.Start:h.End]).text)
		}
		return tokenOf(r.number(h.value))
	})
}

// number returns the number of a value.
func (r *Registry) number(value fingerprint.MAC) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.numbers[value] == 0 && len(r.numbers) < maxTokens {
		r.numbers[value] = len(r.numbers) + 1
	}
	return r.numbers[value]
}

// A knowledge is the known values of one or several registries.
type knowledge struct {
	learning sync.Mutex
	now      atomic.Pointer[knownValues]
}

func newKnowledge(key fingerprint.Key, allow []string) *knowledge {
	k := new(knowledge)
	k.now.Store(newKnownValues(key, allow, nil))
	return k
}

func (k *knowledge) learn(prints []fingerprint.Print) {
	prints = slices.Clone(prints)
	k.learning.Lock()
	defer k.learning.Unlock()
	k.now.Store(k.now.Load().with(prints))
}
