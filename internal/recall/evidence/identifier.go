package evidence

import (
	"slices"
	"strings"
	"unicode"

	"tidepool/internal/fulltext"
)

// minIdentifier is how many bytes an identifier has at least: e.g. is none.
const minIdentifier = 5

// identifiers returns the places of the identifiers of a prompt, as wholes.
func identifiers(cutter *fulltext.Cutter, text string, place map[string]int) []int {
	var found []int
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		if len(word) < minIdentifier || !isIdentifier(word) {
			continue
		}
		whole := true // a whole stands before its parts
		cutter.Each(word, func(term []byte) {
			if at, ok := place[string(term)]; ok && whole && !slices.Contains(found, at) {
				found = append(found, at)
			}
			whole = false
		})
	}
	return found
}

// isBetween reports whether a character stands between identifiers.
func isBetween(r rune) bool {
	switch r {
	case '/', '\\', ':', ',', ';', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '`', '=':
		return true
	}
	return unicode.IsSpace(r)
}

// isIdentifier reports whether a word is none of prose: it has letters with a dot or an underscore between them, a capital behind a small
// letter, or a digit behind a letter.
func isIdentifier(word string) bool {
	var before, last rune
	for _, r := range word {
		switch {
		case (last == '.' || last == '_') && unicode.IsLetter(r) && (unicode.IsLetter(before) || unicode.IsDigit(before)),
			unicode.IsLower(last) && unicode.IsUpper(r),
			unicode.IsLetter(last) && unicode.IsDigit(r):
			return true
		}
		before, last = last, r
	}
	return false
}

const (
	// maxIdentifiers is how many identifiers count as evidence.
	maxIdentifiers = 2
	// fewMemories and fewOf are in how many memories an identifier may stand to be evidence: in three, or in one of a hundred. main.go says
	// little in a store where every tenth memory names it.
	fewMemories = 3
	fewOf       = 100
)

// matchedIdentifiers returns how many identifiers that few memories have a reading has.
func (q *Question) matchedIdentifiers(r *reading, memories int) int {
	n := 0
	for _, at := range q.identifiers {
		if r.has[at] && q.Words[at].Docs <= max(fewMemories, memories/fewOf) {
			n++
		}
	}
	return min(n, maxIdentifiers)
}
