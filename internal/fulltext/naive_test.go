package fulltext

import (
	"math"
	"slices"
	"strings"
)

// naive is what an Index must find: it keeps the texts, and reads all of them for each search.
type naive struct {
	weights Weights
	texts   map[uint32][]string
}

// counts returns how often each term is in a field, and the length of the field.
func counts(text string) (map[string]float64, float64) {
	terms, length := map[string]float64{}, 0.0
	new(cutter).cut(text, func(t token) {
		terms[string(t.term)]++
		if !t.extra {
			length++
		}
	})
	if length == 0 && len(terms) > 0 {
		length = 1
	}
	return terms, length
}

// search returns all hits, the best first, and those that are equal by falling ids. also take the place of texts.
func (n *naive) search(q Query, also map[uint32][]string) []Hit {
	query, keep := q.Text, q.Keep
	counted := func(f int) bool { return q.Only == nil || slices.Contains(q.Only, Field(f)) }
	terms := distinct(Words(query))
	averages := make([]float64, len(n.weights.Weight))
	seen := map[string]float64{}
	for _, fields := range n.texts {
		all := map[string]bool{}
		for f, text := range fields {
			words, length := counts(text)
			averages[f] += length / float64(len(n.texts))
			for word := range words {
				all[word] = true
			}
		}
		for word := range all {
			seen[word]++
		}
	}
	var hits []Hit
	for id, fields := range merged(n.texts, also) {
		score, any := 0.0, false
		for _, term := range terms {
			weight := 0.0
			for f, text := range fields {
				if !counted(f) {
					continue
				}
				words, length := counts(text)
				norm := 1.0
				if averages[f] > 0 {
					norm = 1 - n.weights.Length[f] + n.weights.Length[f]*length/averages[f]
				}
				weight += n.weights.Weight[f] * words[term] / norm
				any = any || words[term] > 0
			}
			rarity := math.Log(1 + (float64(len(n.texts))-seen[term]+0.5)/(seen[term]+0.5))
			score += rarity * weight / (n.weights.K1 + weight)
		}
		if any && (keep == nil || keep(id)) && n.hasPhrases(query, only(q.Only, fields)) {
			hits = append(hits, Hit{id, score})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if math.Abs(a.Score-b.Score) > 1e-9 {
			return int(math.Copysign(1, b.Score-a.Score))
		}
		return int(int64(b.ID) - int64(a.ID))
	})
	return hits
}

// hasPhrases reports whether what the query quotes stands in a field, for texts of plain words with single blanks.
func (n *naive) hasPhrases(query string, fields []string) bool {
	for i, phrase := range strings.Split(query, `"`) {
		if i%2 == 1 && !slices.ContainsFunc(fields, func(text string) bool { return strings.Contains(" "+text+" ", " "+strings.TrimSpace(phrase)+" ") }) {
			return false
		}
	}
	return true
}

func merged(texts, also map[uint32][]string) map[uint32][]string {
	all := map[uint32][]string{}
	for _, m := range []map[uint32][]string{texts, also} {
		for id, fields := range m {
			all[id] = fields
		}
	}
	return all
}

func distinct(words []string) []string {
	var found []string
	for _, word := range words {
		if !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}
