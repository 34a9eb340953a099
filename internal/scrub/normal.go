package scrub

import (
	"sort"
	"strings"
)

// A normalText is a text without what a terminal does not show: escape sequences of colours and the like (ECMA-48: CSI and OSC)
// and carriage returns.
type normalText struct {
	text string
	gaps []gap // in order
}

// A gap is where something was left out.
type gap struct {
	at      int // in the normal text: what follows the gap
	removed int // bytes that were left out up to here
}

// normalize returns the normal form of a text. It is the text itself if nothing is to be left out.
func normalize(text string) normalText {
	if strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, escape) < 0 {
		return normalText{text: text}
	}
	var n normalText
	var b strings.Builder
	b.Grow(len(text))
	removed := 0
	for i := 0; i < len(text); {
		length := hidden(text[i:])
		if length == 0 {
			next := i + 1
			for next < len(text) && text[next] != '\r' && text[next] != escape {
				next++
			}
			b.WriteString(text[i:next])
			i = next
			continue
		}
		removed += length
		i += length
		n.gaps = append(n.gaps, gap{b.Len(), removed})
	}
	n.text = b.String()
	return n
}

const escape = '\x1b'

// maxSequence bounds an escape sequence, in bytes. A longer one is text.
const maxSequence = 256

// hidden returns the length of what a terminal does not show at the beginning of a text, 0 if it shows the first character. Of
// a sequence that is incomplete or unknown that is the escape character alone.
func hidden(text string) int {
	switch {
	case text[0] == '\r':
		return 1
	case text[0] != escape:
		return 0
	case len(text) > 1 && text[1] == '[':
		return controlSequence(text)
	case len(text) > 1 && text[1] == ']':
		return systemCommand(text)
	case len(text) > 2 && (text[1] == '(' || text[1] == ')'): // a character set
		return 3
	}
	return 1
}

// controlSequence returns the length of a CSI: parameters and intermediates, then a final byte.
func controlSequence(text string) int {
	for i := 2; i < min(len(text), maxSequence); i++ {
		if c := text[i]; 0x40 <= c && c <= 0x7e {
			return i + 1
		} else if c < 0x20 || c > 0x3f {
			break
		}
	}
	return 1
}

// systemCommand returns the length of an OSC, which BEL or ESC \ ends.
func systemCommand(text string) int {
	for i := 2; i < min(len(text), maxSequence); i++ {
		switch {
		case text[i] == '\a':
			return i + 1
		case strings.HasPrefix(text[i:], "\x1b\\"):
			return i + 2
		case text[i] == escape:
			return i
		}
	}
	return 1
}

// original returns where a part of the normal text stands in the original one, with what was left out within it.
func (n normalText) original(start, end int) (int, int) {
	return start + n.removedBefore(start+1), end + n.removedBefore(end)
}

// removedBefore returns how many bytes were left out before an offset of the normal text, those right before it excluded.
func (n normalText) removedBefore(at int) int {
	i := sort.Search(len(n.gaps), func(i int) bool { return n.gaps[i].at >= at })
	if i == 0 {
		return 0
	}
	return n.gaps[i-1].removed
}
