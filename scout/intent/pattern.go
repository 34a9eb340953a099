package intent

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is needed first:
// all of them together would take a part of every start of a program.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

func matching(text string) *pattern { return &pattern{text: text} }

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}
