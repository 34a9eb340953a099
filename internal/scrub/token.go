package scrub

import (
	"strconv"
	"strings"
)

const tokenStart, tokenEnd = "[SECRET_", "]"

// tokenOf returns the text that stands for the value of a number.
func tokenOf(number int) string { return tokenStart + strconv.Itoa(number) + tokenEnd }

// HasToken reports whether a text contains [SECRET_n]. What it stands for is not kept, so nobody can put it back: a command that
// contains one would do something else than its author thinks.
func HasToken(text string) bool {
	for {
		_, rest, found := strings.Cut(text, tokenStart)
		if !found {
			return false
		}
		if isNumbered(rest) {
			return true
		}
		text = rest
	}
}

// isNumbered reports whether a text begins with digits and the end of a token.
func isNumbered(text string) bool {
	behind := strings.TrimLeft(text, "0123456789")
	return len(behind) < len(text) && strings.HasPrefix(behind, tokenEnd)
}

// isToken reports whether a text is a token and nothing else.
func isToken(text string) bool {
	rest, is := strings.CutPrefix(text, tokenStart)
	return is && isNumbered(rest) && strings.Index(rest, tokenEnd) == len(rest)-1
}
