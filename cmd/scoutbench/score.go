package main

import (
	"slices"
	"time"
)

// A place is one that an answer points at, below the module.
type place struct {
	file string
	line int
}

// An answer is what somebody said to a case.
type answer struct {
	places   []place // best first
	text     int     // characters that the asker reads
	took     time.Duration
	requests int // to language servers
}

// A score is how good an answer is. Precision and recall are over distinct units.
type score struct {
	precision, recall, f1 float64
	core                  float64 // recall of the units that must be edited
	first10               float64 // recall within the first ten units that count
	text                  int
	took                  time.Duration
	requests              int
}

// evaluate scores an answer. A place counts for the unit that it stands in, once; a unit may also stand for another one
// of the truth (Accept), and neutral ones count for nothing.
func evaluate(c testCase, a answer, of *units) score {
	truth := truthOf(c)
	hit, seen := map[string]bool{}, map[string]bool{}
	counted, wrong, full := 0, 0, false
	s := score{text: a.text, took: a.took, requests: a.requests}
	for _, p := range a.places {
		u := of.at(p.file, p.line)
		fresh, known := truth.named(u, hit)
		for _, name := range fresh {
			hit[name] = true
			counted++
		}
		if !known && !seen[u] && !slices.Contains(c.Neutral, u) {
			wrong++
			counted++
		}
		seen[u] = true
		if !full {
			s.first10, full = share(len(hit), len(truth.core)), counted >= 10
		}
	}
	s.recall = share(len(hit), len(truth.core))
	if len(hit) > 0 {
		s.precision = share(len(hit), len(hit)+wrong)
		s.f1 = 2 * s.precision * s.recall / (s.precision + s.recall)
	}
	s.core = truth.coreRecall(hit)
	return s
}

// A wanted is what an answer to a case should name.
type wanted struct {
	core   map[string]bool     // units of the truth; true: must be edited
	accept map[string][]string // units that stand for others
}

func truthOf(c testCase) wanted {
	w := wanted{map[string]bool{}, map[string][]string{}}
	for _, b := range c.Truth {
		w.core[b.unit()] = w.core[b.unit()] || b.Core
		for _, other := range b.Accept {
			w.accept[other] = append(w.accept[other], b.unit())
		}
	}
	return w
}

// named returns the units of the truth that a unit is the first to name. known says whether it names any at all. One that is
// itself of the truth stands for no other.
func (w wanted) named(u string, hit map[string]bool) (fresh []string, known bool) {
	if _, itself := w.core[u]; itself {
		if !hit[u] {
			fresh = append(fresh, u)
		}
		return fresh, true
	}
	for _, other := range w.accept[u] {
		if !hit[other] && !slices.Contains(fresh, other) {
			fresh = append(fresh, other)
		}
	}
	return fresh, len(w.accept[u]) > 0
}

func (w wanted) coreRecall(hit map[string]bool) float64 {
	found, all := 0, 0
	for u, core := range w.core {
		if core {
			all++
			if hit[u] {
				found++
			}
		}
	}
	return share(found, all)
}

// share is part of whole; 1 of nothing at all is a whole.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}
