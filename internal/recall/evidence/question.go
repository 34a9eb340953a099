package evidence

import (
	"slices"
	"unicode/utf8"

	"tidepool/internal/fulltext"
)

const (
	// maxPrompt is how many bytes of a prompt are read: the first and the last half of it. What is asked stands before or behind what is
	// pasted.
	maxPrompt = 16 << 10
	// MaxWords is how many distinct words of a prompt count, the rarest by the table of general words.
	MaxWords = 64
)

// A Question is a prompt, cut into what is looked for.
type Question struct {
	Words []Word // in the order of the prompt; Docs is for the index to fill in

	thin        bool
	identifiers []int // their places in Words
	constants   Constants
	place       map[string]int // of a term in Words
	pairs       map[pair]int   // neighbouring words, by numbers from 0
	pieces      map[uint32]int // pieces of words, by numbers from 0
	sieve       sieve          // of the pieces
	words       sieve          // of the hashes of the terms in Words
	months      []month
}

// A pair is two words that stand beside each other, by their places in Words.
type pair [2]int

// Ask cuts a prompt.
func Ask(cutter *fulltext.Cutter, text string, c Constants) *Question {
	text = ends(text, maxPrompt)
	q := &Question{constants: c, place: map[string]int{}, pairs: map[pair]int{}, pieces: map[uint32]int{}, months: monthsOf(text)}
	var order []string
	cutter.Each(text, func(term []byte) { order = append(order, string(term)) })
	q.Words = rarest(order, c.Rarest)
	for i, w := range q.Words {
		q.place[w.Text] = i
		q.words.add(hashOf(w.Text))
		addPieces(w.Text, func(piece uint32) {
			number(q.pieces, piece)
			q.sieve.add(piece)
		})
	}
	last := -1
	for _, term := range order {
		last = q.follow(last, term, func(p pair) { number(q.pairs, p) })
	}
	q.identifiers = identifiers(cutter, text, q.place)
	q.thin = len(q.Words) < 2 && len(q.identifiers) == 0
	return q
}

// number gives a key the next number, if it has none.
func number[K comparable](of map[K]int, key K) {
	if _, ok := of[key]; !ok {
		of[key] = len(of)
	}
}

// follow returns the place of a term, −1 if the prompt does not have it, and calls found with it and the one before if the prompt has both.
func (q *Question) follow(last int, term string, found func(pair)) int {
	at, ok := q.place[term]
	if !ok {
		return -1
	}
	if last >= 0 && last != at {
		found(pair{last, at})
	}
	return at
}

// rarest returns the distinct terms, at most MaxWords, in their order.
func rarest(order []string, most float64) []Word {
	var words []Word
	seen, all := map[string]bool{}, sentences()
	for _, term := range order {
		if !seen[term] {
			seen[term] = true
			words = append(words, Word{Text: term, Rare: rarity(term, all, most)})
		}
	}
	if len(words) <= MaxWords {
		return words
	}
	rares := make([]float64, len(words))
	for i, w := range words {
		rares[i] = -w.Rare
	}
	slices.Sort(rares)
	least := -rares[MaxWords-1]
	ties := MaxWords - countAbove(words, least)
	return slices.DeleteFunc(words, func(w Word) bool {
		if w.Rare == least {
			ties--
		}
		return w.Rare < least || w.Rare == least && ties < 0
	})
}

func countAbove(words []Word, least float64) int {
	n := 0
	for _, w := range words {
		if w.Rare > least {
			n++
		}
	}
	return n
}

// ends returns a text of at most n bytes: all of it, or its beginning and its end.
func ends(text string, n int) string {
	if len(text) <= n {
		return text
	}
	start, end := n/2, len(text)-n/2
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[:start] + "\n" + text[end:]
}
