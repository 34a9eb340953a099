package fulltext

import "unicode/utf8"

// A part is a piece of an identifier in the spelling of the text.
type part struct{ start, end int }

// appendParts appends the parts of a word: what underscores, hyphens and changes of case set apart. Digits belong to what stands
// before them (sha256). An upper-case s at the end of an acronym does not set it apart (IDs).
func appendParts(parts []part, text string, start, end int) []part {
	from, last, before := -1, separator, separator // the start of the open part; the classes of the two characters before i
	for i := start; i < end; {
		c, size := at(text, i)
		switch {
		case c == underscore || c == joiner:
			if from >= 0 {
				parts = append(parts, part{from, i})
			}
			from = -1
		case from < 0:
			from = i
		case c == upper && (last == lower || last == digit):
			parts = append(parts, part{from, i})
			from = i
		case c == lower && last == upper && before == upper && !isPlural(text, i, end):
			previous := i - lengthBefore(text, i)
			if previous > from {
				parts = append(parts, part{from, previous})
				from = previous
			}
		}
		if c == lower && isMarkAt(text, i) {
			c = last // a mark does not end a run of capitals
		}
		before, last = last, c
		i += size
	}
	if from >= 0 {
		parts = append(parts, part{from, end})
	}
	return parts
}

func lengthBefore(text string, i int) int {
	_, size := utf8.DecodeLastRuneInString(text[:i])
	return size
}

// isPlural reports whether the s of an acronym's plural stands at an offset.
func isPlural(text string, i, end int) bool {
	if text[i] != 's' {
		return false
	}
	next, _ := at(text[:end], i+1)
	return next != lower
}
