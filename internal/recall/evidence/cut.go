package evidence

import (
	"iter"
	"strings"

	"tidepool/internal/fulltext"
)

// A Cut is the text of a memory, cut into what a question is compared with. Cutting takes ten times as long as comparing, so it is worth
// keeping. It is not changed once it is made.
type Cut struct {
	terms string   // in their order, a line feed behind each: terms have none
	name  string   // the same of the name that the text begins with, before a colon
	set   []uint32 // a hash of each distinct term, sorted
}

// maxName bounds the name at the beginning of a memory, in bytes.
const maxName = 40

// CutText cuts the text of a memory.
func CutText(cutter *fulltext.Cutter, text string) *Cut {
	c := new(Cut)
	var terms strings.Builder
	cutter.Each(text, func(term []byte) {
		terms.Write(term)
		terms.WriteByte('\n')
		c.set = append(c.set, hashOf(term))
	})
	c.terms, c.set = strings.Clone(terms.String()), sortedSet(c.set)
	if name, _, ok := strings.Cut(text[:min(len(text), maxName)], ":"); ok {
		cutter.Each(name, func(term []byte) { c.name += string(term) + "\n" })
	}
	return c
}

// Bytes returns about how much memory it takes.
func (c *Cut) Bytes() int {
	const itself = 64
	return itself + len(c.terms) + len(c.name) + 4*cap(c.set)
}

// each returns the terms of lines.
func each(lines string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for lines != "" {
			term, rest, _ := strings.Cut(lines, "\n")
			if lines = rest; !yield(term) {
				return
			}
		}
	}
}
