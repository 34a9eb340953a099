package evidence

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

//go:embed words.txt
var generalWords string

// Rarity returns −ln of the share of sentences of general and programming English that have a term of [fulltext.Words]. Terms that nobody
// has counted have 9, and none has more.
func Rarity(term string) float64 { return rarity(term, Fitted().Rarest) }

// asked is how rare a word is that people use to ask for anything: about one of twenty prompts has it.
const asked = 3

// isAsked reports whether people use a term to ask for anything. Neither definitions nor comments have such words often.
func isAsked(term string) bool {
	switch term {
	case "pleas", "thank", "ok", "okay", "yes", "yeah", "hey", "hi", "hello", "sorri", "sure", "help", "want", "need", "tri", "look", "again", "still", "now", "know", "think":
		return true
	}
	return false
}

// rarity returns −ln of the share of sentences of general and programming English that have a term. Terms that the table has not are as
// rare as most allows.
func rarity(term string, most float64) float64 {
	if isAsked(term) {
		return min(asked, most)
	}
	sentences := countOf(generalWords, "#sentences")
	n := countOf(generalWords, term)
	if n == 0 || sentences == 0 {
		return most
	}
	return min(most, -math.Log(float64(n)/float64(sentences)))
}

// countOf returns the number behind a term in lines of "term number" that are sorted by their terms, 0 if there is no such line. It reads
// some 16 lines of 40,000, so the table is searched as it is embedded and takes no memory of its own.
func countOf(lines, term string) int {
	for lines != "" {
		start := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, after, _ := strings.Cut(lines[start:], "\n")
		text, number, _ := strings.Cut(line, " ")
		switch {
		case text == term:
			n, _ := strconv.Atoi(number) // the table has numbers alone
			return n
		case text < term:
			lines = after
		default:
			lines = lines[:start]
		}
	}
	return 0
}
