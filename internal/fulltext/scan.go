package fulltext

import (
	"unicode"
	"unicode/utf8"
)

// A class says what a character is to the cutter.
type class uint8

const (
	separator class = iota
	lower           // letters without case, marks and characters to be skipped within a word count as lower
	upper
	digit
	underscore
	joiner  // of two words: a dot, a hyphen
	spacing // a character of a script that writes no spaces
)

// classOf returns the class of a character. Invalid bytes are separators.
func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return classOfASCII(byte(r))
	}
	switch {
	case r == utf8.RuneError:
		return separator
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar),
		r == 'ー', r == 'ｰ', isNarrowSoundMark(r): // which are of no script to Unicode
		if unicode.IsPunct(r) {
			return separator
		}
		return spacing
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r), unicode.IsMark(r), isSkipped(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return separator
}

// classOfASCII returns the class of a byte, separator for those that are no characters of ASCII. It is a table, as it is asked for every
// byte: each row has 32 classes by their numbers.
func classOfASCII(b byte) class {
	const classes = "00000000000000000000000000000000" +
		"00000000000005503333333333000000" +
		"02222222222222222222222222200004" +
		"01111111111111111111111111100000"
	if b >= utf8.RuneSelf {
		return separator
	}
	return class(classes[b] - '0')
}

// isSkipped reports whether a character may stand in a word and is none of its letters: a soft hyphen, the joiners of zero width.
func isSkipped(r rune) bool { return r == '\u00ad' || r == '\u200c' || r == '\u200d' }

func (c class) inWord() bool { return lower <= c && c <= underscore }

// at returns the class of the character at an offset and its length in bytes; separator, 0 at the end.
func at(text string, i int) (class, int) {
	if i >= len(text) {
		return separator, 0
	}
	if b := text[i]; b < utf8.RuneSelf {
		return classOfASCII(b), 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r), size
}

// A run is a piece of text without separators: words that joiners hold together, or characters of a script without spaces.
type run struct {
	start, end int // bytes of the text
	spacing    bool
	joined     bool // it has a joiner
	plain      bool // it is one word of ASCII letters, all lower-case but perhaps the first: it has no parts
}

// nextRun returns the first run at or behind an offset, false at the end of the text. A joiner counts between characters of
// words alone, an apostrophe before the end of an English contraction (user's, don't).
func nextRun(text string, i int) (run, bool) {
	for i < len(text) {
		c, size := at(text, i)
		switch {
		case c == spacing:
			return run{start: i, end: endOfSpacing(text, i), spacing: true}, true
		case c == lower, c == upper:
			if end := endOfPlain(text, i); end > i {
				return run{start: i, end: end, plain: true}, true
			}
			fallthrough
		case c.inWord():
			end, joined := endOfWords(text, i)
			return run{start: i, end: end, joined: joined}, true
		}
		i += size
	}
	return run{}, false
}

// endOfPlain returns the end of a plain word, or where it starts if the word is none. Most words of prose are.
func endOfPlain(text string, start int) int {
	i := start + 1
	for i < len(text) && 'a' <= text[i] && text[i] <= 'z' {
		i++
	}
	if text[start] >= utf8.RuneSelf || i < len(text) && !isPlainEnd(text[i:]) {
		return start
	}
	return i
}

// isPlainEnd reports whether a word ends here whatever follows, or may be followed by a joiner and a blank.
func isPlainEnd(rest string) bool {
	switch b := rest[0]; {
	case b >= utf8.RuneSelf, b == '\'':
		return false
	case classOfASCII(b) == joiner:
		return len(rest) == 1 || rest[1] == ' ' || rest[1] == '\n'
	default:
		return classOfASCII(b) == separator
	}
}

func endOfSpacing(text string, i int) int {
	for {
		c, size := at(text, i)
		if c != spacing && !isMarkAt(text, i) {
			return i
		}
		i += size
	}
}

// isMarkAt reports whether a mark of the character before stands at an offset: the dots of decomposed kana, vowels of Thai.
func isMarkAt(text string, i int) bool {
	if i >= len(text) || text[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsMark(r) || isNarrowSoundMark(r)
}

// isNarrowSoundMark reports whether a character is the voiced or half-voiced sound mark of half-width kana.
func isNarrowSoundMark(r rune) bool { return r == 'ﾞ' || r == 'ﾟ' }

func endOfWords(text string, i int) (end int, joined bool) {
	for {
		c, size := at(text, i)
		if c.inWord() {
			i += size
			continue
		}
		if c == joiner {
			if next, _ := at(text, i+size); next.inWord() {
				i, joined = i+size, true
				continue
			}
		}
		if n := contraction(text, i); n > 0 {
			i += n
			continue
		}
		return i, joined
	}
}

// contraction returns the length of 's, 't, 're, 've, 'll, 'd or 'm at an offset, with either apostrophe; 0 if there is none.
func contraction(text string, i int) int {
	n := 0
	switch {
	case i < len(text) && text[i] == '\'':
		n = 1
	case i+3 <= len(text) && text[i:i+3] == "’":
		n = 3
	default:
		return 0
	}
	end := i + n
	for end < len(text) && end-i-n < 3 && (classOfASCII(text[end]) == lower || classOfASCII(text[end]) == upper) {
		end++
	}
	if next, _ := at(text, end); next.inWord() {
		return 0
	}
	switch text[i+n : end] {
	case "s", "t", "re", "ve", "ll", "d", "m", "S", "T", "RE", "VE", "LL", "D", "M":
		return end - i
	}
	return 0
}
