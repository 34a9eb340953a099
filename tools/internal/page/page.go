// Package page writes the text of an answer, for a model and for a terminal.
package page

import (
	"bytes"
	"fmt"
	"go/doc"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// A Page is the text of an output while it is written.
type Page struct{ bytes.Buffer }

// Line writes one line, as Text does.
func (p *Page) Line(format string, args ...any) { p.Text(fmt.Sprintf(format, args...)) }

// Text writes one line of these parts. What comes from files cannot break out of it: control characters, which could
// move a terminal's cursor or fake a line of ours, are dropped, and a line feed becomes a blank.
func (p *Page) Text(parts ...string) {
	start := p.Len()
	for _, part := range parts {
		p.WriteString(plain(part))
	}
	p.Truncate(start + len(bytes.TrimRight(p.Bytes()[start:], " ")))
	p.WriteByte('\n')
}

// Message writes the lines of a foreign text, such as a program's error, after one of ours: the first beside it, the others below,
// indented so that none can be taken for a line of ours. Empty lines are left out.
func (p *Page) Message(before, text string) {
	indent := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" || before != "" {
			p.Text(indent, before, line)
			before, indent = "", "  "
		}
	}
	if before != "" {
		p.Text(before)
	}
}

// List writes one line per item, at most limit of them, and says how many more there are.
func List[T any](p *Page, items []T, limit int, write func(T)) {
	for i, item := range items {
		if i == limit {
			p.Line("… %d more", len(items)-limit)
			return
		}
		write(item)
	}
}

// Closing ends a page with what the answer lacks as its last line. That a server is still at work is the first line: what
// follows is not all there is.
func (p *Page) Closing(c lsp.Completeness) string {
	lack := query.Incompleteness(c)
	switch {
	case c.State == lsp.Indexing:
		known := p.String()
		p.Reset()
		p.Line("(%s)", excerpt.Clip(lack))
		p.WriteString(known)
	case lack != "":
		p.Line("(%s)", excerpt.Clip(lack))
	}
	return strings.TrimRight(p.String(), "\n")
}

// plain returns a text without control characters.
func plain(s string) string {
	if printable(s) { // nearly all of source
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case controls(r):
			return -1
		}
		return r
	}, s)
}

// printable reports whether a text holds no control characters.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' {
			return !strings.ContainsFunc(s[i:], controls)
		}
	}
	return true
}

// controls reports whether a character, or what is none, may do something to a terminal.
func controls(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// Optional returns a pointer to s, or nil for "", which is null in JSON.
func Optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Warning joins what went wrong with a name and what the answer lacks; nil if neither did.
func Warning(problem string, c lsp.Completeness) *string {
	lack := query.Incompleteness(c)
	if problem != "" && lack != "" {
		problem += "; "
	}
	return Optional(problem + lack)
}

// Heading returns the first line of what is told of a declaration.
func Heading(path string, line int, name, kind, documentation string) string {
	return path + ":" + strconv.Itoa(line) + ": " + name + ", " + kind + Comment(documentation)
}

// Comment returns the first sentence of a documentation.
func Comment(text string) string {
	if text = new(doc.Package).Synopsis(text); text == "" {
		return ""
	}
	return "  // " + excerpt.Clip(text)
}

// Candidates lists what a name may mean, with paths below root.
func (p *Page) Candidates(root string, candidates []query.Candidate) {
	List(p, candidates, query.MaxCandidates, func(c query.Candidate) {
		kind := string(c.Kind)
		if c.Language != "" {
			kind += ", " + c.Language
		}
		p.Line("%s:%d: %s (%s)", query.Relative(root, c.File), c.Line, c.Name, kind)
	})
}
