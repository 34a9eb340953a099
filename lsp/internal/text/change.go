package text

import (
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// A Change is one element of a didChange notification.
type Change struct {
	Range *protocol.Range `json:"range"` // nil: the whole text
	Text  string          `json:"text"`
}

// Apply returns the text after the change. Positions beyond an end are that end, as the protocol wants it.
func (c Change) Apply(text string) string {
	if c.Range == nil {
		return c.Text
	}
	start := offset(text, c.Range.Start)
	end := max(start, offset(text, c.Range.End))
	return text[:start] + c.Text + text[end:]
}

// offset returns where a position is in a text, in bytes. A line ends in \n, \r\n or \r.
func offset(text string, p protocol.Position) int {
	at := 0
	for range p.Line {
		next := strings.IndexAny(text[at:], "\r\n")
		if next < 0 {
			return len(text)
		}
		at += next + 1
		if text[at-1] == '\r' && strings.HasPrefix(text[at:], "\n") {
			at++
		}
	}
	for units := 0; units < int(p.Character) && at < len(text); {
		char, size := utf8.DecodeRuneInString(text[at:])
		if char == '\n' || char == '\r' {
			break
		}
		units += unitsOf(char)
		at += size
	}
	return at
}
