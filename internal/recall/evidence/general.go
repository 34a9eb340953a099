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
func Rarity(term string) float64 { return rarity(term, sentences(), Fitted().Rarest) }

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

// sentences returns of how many sentences the table counts the words.
func sentences() int { return countOf(generalWords, "#sentences") }

// rarity returns −ln of the share of so many sentences of general and programming English that have a term. Terms that the table has not are
// as rare as most allows.
func rarity(term string, sentences int, most float64) float64 {
	if isAsked(term) {
		return min(asked, most)
	}
	n := countOf(generalWords, term)
	if n == 0 || sentences == 0 {
		return most
	}
	return min(most, -math.Log(float64(n)/float64(sentences)))
}

// countOf returns the number behind a term in lines of "term number" that are sorted by their terms, 0 if there is no such line. It looks at
// some 16 lines of 40,000, so the table is searched as it is embedded and takes no memory of its own.
func countOf(lines, term string) int {
	for low, high := 0, len(lines); low < high; {
		start := low + (high-low)/2
		for start > low && lines[start-1] != '\n' {
			start--
		}
		end := start
		for end < high && lines[end] != ' ' && lines[end] != '\n' {
			end++
		}
		switch text := lines[start:end]; {
		case text < term:
			low = endOfLine(lines, end)
		case text > term:
			high = start
		default:
			n, _ := strconv.Atoi(strings.TrimSpace(lines[end:endOfLine(lines, end)])) // the table has numbers alone
			return n
		}
	}
	return 0
}

// endOfLine returns where the line behind a place begins.
func endOfLine(lines string, at int) int {
	for at < len(lines) && lines[at] != '\n' {
		at++
	}
	return min(at+1, len(lines))
}
