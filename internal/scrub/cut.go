package scrub

import (
	"strings"

	"tidepool/internal/fingerprint"
)

// maxWord bounds the last word of a text that is cut, in bytes.
const maxWord = 4 << 10

// closeEnd adds to the hits of a text whose rest is lost what may be the beginning of a secret at its end.
func (v *knownValues) closeEnd(text string, found []hit) []hit {
	start := min(lastWord(text), v.open(text))
	if start == len(text) {
		return found
	}
	return union(text, append(found, hit{Finding: Finding{Cut, start, len(text)}}))
}

// lastWord returns where the last word of a text begins, at its end if that word is too short to say much.
func lastWord(text string) int {
	first := max(0, len(text)-maxWord)
	start := first + strings.LastIndexAny(text[first:], " \t\r\n") + 1
	if len(text)-start < fingerprint.MinLength {
		return len(text)
	}
	return start
}

// open returns where in a text a known value may begin that ends behind it; at the text's end if nowhere. Only a hash tells, so of a
// million texts that have a few hundred values to look for some lose a word in vain.
func (v *knownValues) open(text string) int {
	first := max(0, len(text)-fingerprint.MaxLength)
	for at := first; at+fingerprint.MinLength <= len(text); at++ {
		for _, p := range v.byRoll[v.roller.Roll(text[at:])] {
			if at+p.Length > len(text) {
				return at
			}
		}
	}
	return len(text)
}
