package teach

import (
	"slices"
	"strings"
	"unicode"
)

// wordsOf cuts a text, or a name as code spells it, into words in lower case:
// "CheckedEntry.Write" is checked, entry, write; "HTTPServer" is http, server.
func wordsOf(text string) []string {
	var words []string
	runes := []rune(text)
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return words
}

// topicWords returns the words of a topic without stop words.
func topicWords(topic string) []string {
	return slices.DeleteFunc(wordsOf(topic), func(w string) bool { return len(w) < 3 || slices.Contains(stopWords(), w) })
}

// stopWords returns words that questions consist of, whatever they are about.
func stopWords() []string {
	return strings.Fields("how does what which when where why who the and its for from with into that this are was were has have had " +
		"can could would should will work works working code get gets use used uses using understand explain not one all any our " +
		"about between through after before until only happen happens made make makes there their they them than then you your")
}

// sameStem reports whether two words are forms of one, such as route, routed,
// routing, router.
func sameStem(a, b string) bool {
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	return common >= 3 && common >= min(len(a), len(b))-1 && max(len(a), len(b))-common <= 4
}

// matches counts the words of a topic that a text has a form of.
func matches(topic []string, text string) int {
	words, n := wordsOf(text), 0
	for _, t := range topic {
		if slices.ContainsFunc(words, func(w string) bool { return sameStem(t, w) }) {
			n++
		}
	}
	return n
}
