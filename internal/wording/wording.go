// Package wording formats messages to people and models: the hint of an error, counted things, foreign text on one
// line and of bounded length, the names that a misspelt one may mean.
//
// The agent imports it, so it imports only what fmt does.
package wording

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HintOf returns what the error, or one that it wraps, says should be done: its Hint() string. "": it does not say.
func HintOf(err error) string {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return hinted.Hint()
	}
	return ""
}

// Count returns "1 file" or "2 files", "2 switches", "2 memories".
func Count(n int, noun string) string {
	stem, isY := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	case isY && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e"):
		noun = stem + "ies"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// OneLine returns the words of a text with single blanks between them, in valid UTF-8.
func OneLine(text string) string { return strings.Join(strings.Fields(valid(text)), " ") }

// Line returns the words of a text on one line of at most most characters.
func Line(text string, most int) string { return Clip(OneLine(text), most) }

// Clip returns a text of at most most characters, in valid UTF-8. The last one is an ellipsis if something was cut.
func Clip(text string, most int) string {
	text = valid(text)
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// ClipBytes returns the first bytes of a text, at most so many. It never ends within a character.
func ClipBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Visible returns a foreign text that can neither control a terminal nor hide from its reader. Control characters but line
// feeds become their pictures, a tab a blank; characters that change the direction of writing, tags (which a model reads and
// nobody sees), other ends of lines and invalid UTF-8 become U+FFFD.
func Visible(text string) string {
	return strings.Map(visible, strings.ReplaceAll(text, "\r\n", "\n"))
}

func visible(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r == '\t':
		return ' '
	case r < 0x20:
		return '␀' + r
	case r == 0x7f:
		return '␡'
	case r >= 0xE0000 && r <= 0xE007F: // the block of tags
		return unicode.ReplacementChar
	case unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
		return unicode.ReplacementChar
	}
	return r
}

// Stored returns a stored foreign text for a model, on one line of at most most characters. It is Visible, and has no < or > of any
// width, so that it cannot close the block that quotes it. Nothing is replaced after the cut.
func Stored(text string, most int) string { return Line(Unmarked(text), most) }

// Unmarked returns a foreign text as Visible does, with ‹ and › for < and > of any width. Line feeds stay.
func Unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '<', '＜', '﹤':
			return '‹'
		case '>', '＞', '﹥':
			return '›'
		}
		return r
	}, Visible(text))
}
