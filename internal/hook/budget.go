package hook

import (
	"strings"
	"unicode/utf16"

	"tidepool/protocol"
)

// A budget is how much context the model may read with one event, of all parts together. The first part has it first.
type budget struct{ texts []string }

// add appends a part's text on a line of its own. It returns how many characters of the text fit, in UTF-16 units as the
// client counts them, and how many do not.
func (b *budget) add(text string) (read, cut int) {
	room := protocol.MaxHookText
	for _, t := range b.texts {
		room -= units(t) + len("\n")
	}
	text, cut = protocol.CutText(text, room)
	if text != "" {
		b.texts = append(b.texts, text)
	}
	return units(text), cut
}

func (b *budget) text() string { return strings.Join(b.texts, "\n") }

// units returns how long a text is in UTF-16.
func units(text string) (n int) {
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
