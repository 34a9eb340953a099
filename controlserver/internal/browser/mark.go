package browser

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
)

// leastWord is how many characters of a word count: what matched may have another ending.
const leastWord = 4

// wordsOf returns the beginnings of the words of a query, by which they are found in a text.
func wordsOf(query string) []string {
	var words []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(query), func(r rune) bool { return !inWord(r) }) {
		runes := []rune(word)
		words = append(words, string(runes[:max(min(leastWord, len(runes)), len(runes)-3)]))
	}
	return words
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// mark returns a line of plain text with its words that begin so marked, and whether it has any.
func mark(text string, words []string) (string, bool) {
	if len(words) == 0 {
		return text, false
	}
	var b strings.Builder
	has := false
	style := lipgloss.NewStyle().Bold(true).Underline(true)
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
		switch {
		case end < 0:
			end = len(text)
		case end == 0:
			end = strings.IndexFunc(text, inWord)
			if end < 0 {
				end = len(text)
			}
		}
		piece := text[:end]
		if begins(piece, words) {
			has = true
			piece = style.Render(piece)
		}
		b.WriteString(piece)
		text = text[end:]
	}
	return b.String(), has
}

func begins(piece string, words []string) bool {
	lower := strings.ToLower(piece)
	for _, w := range words {
		if strings.HasPrefix(lower, w) {
			return true
		}
	}
	return false
}
