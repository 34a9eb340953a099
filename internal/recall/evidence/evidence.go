// Package evidence ranks memories for a prompt, and says how likely it is that what they share with the prompt is no chance.
//
// It does no input or output: internal/recall/index finds candidates by their words and reads them, this package weighs them.
//
// # Rank
//
// A word counts by BM25. The score of a memory is a sum of parts, each divided by the most that the prompt could score:
//
//	the memory, and 0.3 of its neighbours in the session, 0.15 of theirs
//	the two best memories of its session
//	its session as one text
//
// and, for the best of these sums alone, whose texts are read (20 for a prompt, 30 for a query):
//
//	neighbouring pairs of words of the prompt that are neighbours in the memory, too
//	pieces of four letters of the prompt's words
//	whether the memory begins with a name and a colon, and the prompt has the name
//	whether the memory is of a month that the prompt names
//
// A memory that feedback has confirmed counts up to half more, one that it has not up to half less, and one that was superseded half. Age
// does not count, unless the prompt names a month: of equals the newer is first. Of memories with nearly the same words only the newest is shown.
//
// # Floor
//
// A prompt is told nothing unless the evidence is stronger than chance. What a word is worth depends on how often it stands in a sentence
// of general and programming English, p, by a table in this package, and on how many memories have it. [Evidence] has the parts of z.
package evidence

import (
	"math"
	"time"
)

// A Ranking is what was found for a prompt.
type Ranking struct {
	Candidates []Candidate // the best first
	Words      []Word      // of the prompt, in its order

	// Thin is set when the prompt has fewer than two words that say anything, and no identifier. It is then told nothing.
	Thin bool
}

// A Candidate is a memory that shares words with the prompt, or stands beside one that does.
type Candidate struct {
	N       uint32
	Score   float64 // that of the best of its duplicates
	Addends Addends
	Z       Evidence
	Matched []string // words of the prompt that the memory has, as the index writes them
}

// Addends are the parts of a score. Score is Factor times the sum of the others.
type Addends struct {
	Neighbours, Best, Session, Cosine, Pairs, Pieces, Named, Dated float64

	Factor float64 // for feedback, a successor, another project
}

func (a Addends) score() float64 {
	return a.Factor * (a.Neighbours + a.Best + a.Session + a.Pairs + a.Pieces + a.Named + a.Dated + a.Cosine)
}

// Evidence is what speaks for telling a memory. The parts have been multiplied by their constants: z is their sum.
type Evidence struct {
	Cover  float64 // how much of what the prompt's words are worth has matched
	Chance float64 // how unlikely it is that so many words of such rarity match in one of so many memories
	Pairs  float64 // neighbouring pairs of words, at most two
	Words  float64 // how long the prompt is
	Whole  float64 // how much more of the prompt the session has than its two best memories; 0 for a memory that is alone
	Store  float64 // how many memories there are, of which one may match by chance
	Names  float64 // identifiers that few memories have, at most two
	Offset float64 // the constant
	Behind float64 // 0 or less: what a memory is above the best one, as none is told with less doubt than that
}

// Z returns the sum. It is a number for every prompt.
func (e Evidence) Z() float64 {
	return e.Cover + e.Chance + e.Pairs + e.Words + e.Whole + e.Store + e.Names + e.Offset + e.Behind
}

// A Word is a distinct term of a prompt.
type Word struct {
	Text string
	Rare float64 // −ln of its share of sentences
	Docs int     // memories that have it
}

// A Found is a memory that an index has found, with what it scored by postings alone. Cut is set before it is weighed.
type Found struct {
	N          uint32
	Neighbours float64 // from 0 to about 1, as the other parts
	Best       float64
	Session    float64
	Alone      bool    // no other memory is of its session
	Factor     float64 // above 0
	Cosine     float64 // of its vector and the prompt's, from -1 to 1; 0: one of them has none
	At         time.Time
	Cut        *Cut
}

// Factor returns what the score of a memory is multiplied by, for its confidence from 0 to 1.
func Factor(confidence float64, superseded bool) float64 {
	f := .5 + min(max(confidence, 0), 1)
	if superseded {
		f /= 2
	}
	return f
}

// IDF returns what a term counts that n of total texts have. More than 0.
func IDF(total, n int) float64 {
	return math.Log(1 + (float64(total)-float64(n)+.5)/(float64(n)+.5))
}

// Saturate returns what the occurrences of a term in a text count, from 0 to 1. length is that of the text, in averages.
func Saturate(count, length, k1, b float64) float64 {
	return count / (count + k1*(1-b+b*length))
}
