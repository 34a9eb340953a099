package fulltext

import (
	"strings"
	"unicode/utf8"
)

// WordsVersion is raised whenever the same text gives other terms than before. An index holds the terms of one version only.
const WordsVersion = 1

const (
	// maxWord bounds a term, in bytes. Of a longer word its beginning is the term.
	maxWord = 64
	// maxIdentifier is up to how many bytes changes of case part a word. A longer one is an encoding of something.
	maxIdentifier = 128
)

// Words returns the terms of a text in their order. A whole stands before its parts. Terms are in the form in which an index holds
// them, so they are for comparing and not for reading.
func Words(text string) []string {
	var words []string
	new(cutter).cut(text, func(t token) { words = append(words, string(t.term)) })
	return words
}

// A token is a term of a text.
type token struct {
	term       []byte // valid until the next token
	start, end int    // the bytes of the text that it was made from
	extra      bool   // it stands beside terms of the same bytes, and does not count for the length of the text
}

// A cutter cuts text into terms. It is not safe for concurrent use. The zero cutter works.
type cutter struct {
	stems stemmer
	buf   []byte // a folded word
	stem  []byte // its stem
	parts []part
	emit  func(token)
	only  func(first byte) bool // if not nil: only terms with this first byte are wanted
}

// newCutter returns a cutter for many texts: it knows the stems of frequent words.
func newCutter() *cutter { return &cutter{stems: newStemmer()} }

// cut calls emit with each term of a text.
func (c *cutter) cut(text string, emit func(token)) {
	c.emit = emit
	for r, ok := nextRun(text, 0); ok; r, ok = nextRun(text, r.end) {
		c.run(text, r)
	}
}

func (c *cutter) run(text string, r run) {
	switch {
	case r.plain:
		c.whole(text, r.start, r.end, false)
	case r.spacing:
		c.pairs(text, r)
	case r.joined && strings.IndexByte(text[r.start:r.end], '.') >= 0:
		c.dotted(text, r)
	default:
		c.word(text, r.start, r.end)
	}
}

// dotted emits the terms of words with dots between them, such as a file's name, a qualified name or a version.
func (c *cutter) dotted(text string, r run) {
	c.whole(text, r.start, r.end, true)
	c.version(text, r)
	for start := r.start; start < r.end; {
		end := r.end
		if i := strings.IndexByte(text[start:r.end], '.'); i >= 0 {
			end = start + i
		}
		c.word(text, start, end)
		start = end + 1
	}
}

// word emits a word as a whole, and its parts if it has several.
func (c *cutter) word(text string, start, end int) {
	if end-start > maxIdentifier {
		c.long(text, start, end)
		return
	}
	c.parts = appendParts(c.parts[:0], text, start, end)
	if len(c.parts) == 0 {
		return // underscores
	}
	c.whole(text, start, end, len(c.parts) > 1)
	if len(c.parts) < 2 {
		return
	}
	for _, p := range c.parts {
		c.whole(text, p.start, p.end, false)
	}
}

// long emits what underscores and hyphens part in a long word. What has none of them is one word.
func (c *cutter) long(text string, start, end int) {
	for start < end {
		length := strings.IndexAny(text[start:end], "_-")
		switch {
		case length < 0 && end-start > maxIdentifier:
			c.whole(text, start, end, false)
			return
		case length < 0:
			length = end - start
		}
		if length > maxIdentifier {
			c.whole(text, start, start+length, false)
		} else {
			c.word(text, start, start+length)
		}
		start += length + 1
	}
}

// whole emits a word without looking at its parts. Stop words and single characters are none.
func (c *cutter) whole(text string, start, end int, extra bool) {
	word := text[start:end]
	if len(word) > maxWord {
		word = word[:cutAt(word, maxWord)]
	}
	c.buf = appendFolded(c.buf[:0], word)
	c.term(start, end, extra)
}

// term emits what is in buf.
func (c *cutter) term(start, end int, extra bool) {
	if len(c.buf) == 0 || c.only != nil && !c.only(c.buf[0]) || isSingle(c.buf) {
		return
	}
	if c.stem = c.stems.appendStem(c.stem[:0], c.buf); len(c.stem) > 0 {
		c.emit(token{c.stem, start, end, extra})
	}
}

// isSingle reports whether a word is one character. One of a script without spaces may be a word.
func isSingle(word []byte) bool {
	if len(word) < 2 {
		return true
	}
	if word[0] < utf8.RuneSelf {
		return false
	}
	r, size := utf8.DecodeRune(word)
	return size == len(word) && classOf(r) != spacing
}

// version emits the number of a version without what stands before and behind it, and its first two groups: v1.26.0-rc1 has 1.26.0 and 1.26.
func (c *cutter) version(text string, r run) {
	start := r.start
	for start < r.end && classOfASCII(text[start]) != digit && text[start] != '.' {
		start++
	}
	end, dots, second := start, 0, 0
	for end < r.end && (text[end] == '.' || classOfASCII(text[end]) == digit) {
		if text[end] == '.' {
			if dots++; dots == 2 {
				second = end
			}
		}
		end++
	}
	if end > start && text[end-1] == '.' {
		end, dots = end-1, dots-1
	}
	if dots == 0 || start == end || text[start] == '.' || end-start > maxWord {
		return
	}
	if end-start < r.end-r.start {
		c.literal(text, start, end)
	}
	if dots > 1 {
		c.literal(text, start, second)
	}
}

func (c *cutter) literal(text string, start, end int) {
	c.buf = append(c.buf[:0], text[start:end]...)
	c.term(start, end, true)
}

// pairs emits the pairs of neighbouring characters of a run, and each character beside them.
func (c *cutter) pairs(text string, r run) {
	single := true
	for i := r.start; i < r.end; {
		middle := endOfCharacter(text, i, r.end)
		if middle < r.end {
			end := endOfCharacter(text, middle, r.end)
			c.characters(text, i, end, false)
			single = false
		}
		c.characters(text, i, middle, !single)
		i = middle
	}
}

func (c *cutter) characters(text string, start, end int, extra bool) {
	c.buf = appendFolded(c.buf[:0], text[start:end])
	c.term(start, end, extra)
}

// endOfCharacter returns the end of the character at an offset with the marks behind it.
func endOfCharacter(text string, i, end int) int {
	_, size := utf8.DecodeRuneInString(text[i:end])
	for i += size; i < end && isMarkAt(text, i); {
		_, size = utf8.DecodeRuneInString(text[i:end])
		i += size
	}
	return i
}

// cutAt returns the last start of a character at or before an offset.
func cutAt(text string, i int) int {
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
