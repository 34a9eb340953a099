package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// Mention returns the place of the first mention of name in a range, or else where the range begins.
func (t Text) Mention(name string, in Range) Range {
	for number := in.Start.Line; number <= in.End.Line; number++ {
		line, from := t.Line(number-1), 0
		if number == in.Start.Line {
			from = min(in.Start.Column-1, len(line))
		}
		if at := wordIn(line[from:], name); at >= 0 {
			start := Position{Line: number, Column: from + at + 1}
			return Range{Start: start, End: Position{Line: number, Column: start.Column + len(name)}}
		}
	}
	return Range{Start: in.Start, End: in.Start}
}

// WordsIn returns the places where a text has name as a whole word.
func WordsIn(in Text, name string) []protocol.Position {
	var all []protocol.Position
	for n := range in.starts {
		line := in.Line(n)
		for at := range EachWord(line, name) {
			all = append(all, protocol.Position{Line: uint32(n), Character: uint32(UnitsBefore(line, at))})
		}
	}
	return all
}

// Mentions reports whether text has name as a whole word.
func Mentions(text, name string) bool { return wordIn(text, name) >= 0 }

// wordIn returns where text first has name as a whole word, -1 if nowhere.
func wordIn(text, name string) int {
	for at := range EachWord(text, name) {
		return at
	}
	return -1
}

// EachWord yields where text has name as a whole word.
func EachWord(text, name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; name != ""; {
			next := strings.Index(text[at:], name)
			if next < 0 {
				return
			}
			start, end := at+next, at+next+len(name)
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if !IsWord(before) && !IsWord(after) && !yield(start) {
				return
			}
			at = end
		}
	}
}

// IsWord reports whether a character may stand in an identifier.
func IsWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// WordAt returns the identifier that starts at or surrounds a byte offset of line.
func WordAt(line string, offset int) string {
	if offset < 0 || offset > len(line) {
		return ""
	}
	for offset < len(line) && !utf8.RuneStart(line[offset]) && offset > 0 {
		offset--
	}
	notWord := func(r rune) bool { return !IsWord(r) }
	start := strings.LastIndexFunc(line[:offset], notWord) + 1
	if start > 0 {
		_, size := utf8.DecodeRuneInString(line[start-1:])
		start += size - 1
	}
	end := strings.IndexFunc(line[offset:], notWord)
	if end < 0 {
		return line[start:]
	}
	return line[start : offset+end]
}

// Clip cuts a text to a number of bytes, at a character.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// LastWord returns the word that a query for symbols ends in: M of pkg.T.M; "" if it ends in none.
func LastWord(query string) string {
	end := strings.LastIndexFunc(query, IsWord)
	if end < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(query[end:])
	query = query[:end+size]
	return query[strings.LastIndexFunc(query, func(r rune) bool { return !IsWord(r) })+1:]
}

// LastComponent returns the name behind the last dot of a query, for servers that know names without what is around them.
func LastComponent(query string) string { return query[strings.LastIndexByte(query, '.')+1:] }
