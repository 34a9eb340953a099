package knownitem

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Plain ranks turns as conversation-search does: one text of prompt and answer, words of two characters and more in lower case without
// 33 function words, BM25 with k1 1.5 and b 0.75. It knows neither fields nor parts of identifiers nor stems.
type Plain struct {
	counts  []map[string]float64
	lengths []float64
	seen    map[string]float64
	average float64
}

// NewPlain returns a ranking of turns.
func NewPlain(turns []Turn) *Plain {
	p := &Plain{seen: map[string]float64{}}
	for _, t := range turns {
		counts := map[string]float64{}
		words := plainWords(t.Prompt + "\n" + t.Answer())
		for _, word := range words {
			if counts[word]++; counts[word] == 1 {
				p.seen[word]++
			}
		}
		p.counts, p.lengths = append(p.counts, counts), append(p.lengths, float64(len(words)))
		p.average += float64(len(words)) / float64(len(turns))
	}
	return p
}

// Rank returns the indexes of the turns that have a word of the query, the best first, at most so many.
func (p *Plain) Rank(query string, most int) []int {
	const k1, b = 1.5, 0.75
	scores := map[int]float64{}
	n := float64(len(p.counts))
	for _, word := range plainWords(query) {
		idf := math.Log(1 + (n-p.seen[word]+0.5)/(p.seen[word]+0.5))
		for turn, counts := range p.counts {
			if count := counts[word]; count > 0 {
				scores[turn] += idf * count / (count + k1*(1-b+b*p.lengths[turn]/p.average))
			}
		}
	}
	return best(scores, most)
}

func best(scores map[int]float64, most int) []int {
	var turns []int
	for turn := range scores {
		turns = append(turns, turn)
	}
	slices.SortFunc(turns, func(a, b int) int {
		if scores[a] != scores[b] {
			return int(math.Copysign(1, scores[b]-scores[a]))
		}
		return b - a
	})
	return turns[:min(len(turns), most)]
}

func plainWords(text string) []string {
	words := regexp.MustCompile(`[\p{L}\p{N}_]{2,}`).FindAllString(strings.ToLower(text), -1)
	return slices.DeleteFunc(words, isFunctionWord)
}

// contentWords returns the distinct words of a query that are no function words.
func contentWords(query string) []string {
	var words []string
	for _, word := range strings.Fields(query) {
		word = strings.Trim(word, `.,;:!?"'()`)
		if len(word) > 2 && !isFunctionWord(strings.ToLower(word)) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// isFunctionWord has the 33 words that bm25s leaves out of English, which are those of Lucene.
func isFunctionWord(word string) bool {
	switch word {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of", "on", "or", "such",
		"that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with":
		return true
	}
	return false
}
