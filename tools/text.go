package tools

import (
	"bytes"
	"fmt"
	"go/doc"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/wording"
)

// A page is the text of an output while it is written.
type page struct{ bytes.Buffer }

// line writes one line, as text does.
func (p *page) line(format string, args ...any) { p.text(fmt.Sprintf(format, args...)) }

// text writes one line of these parts. What comes from files cannot break out of it: control characters, which could
// move a terminal's cursor or fake a line of ours, are dropped.
func (p *page) text(parts ...string) {
	start := p.Len()
	for _, part := range parts {
		p.WriteString(plain(part))
	}
	p.Truncate(start + len(bytes.TrimRight(p.Bytes()[start:], " ")))
	p.WriteByte('\n')
}

// list writes one line per item, at most limit of them, and says how many more there are.
func list[T any](p *page, items []T, limit int, write func(T)) {
	for i, item := range items {
		if i == limit {
			p.line("… %d more", len(items)-limit)
			return
		}
		write(item)
	}
}

// closing ends a page with what the answer lacks as its last line. That a server is still at work is the first line: what
// follows is not all there is.
func (p *page) closing(c lsp.Completeness) string {
	lack := query.Incompleteness(c)
	switch {
	case c.State == lsp.Indexing:
		known := p.String()
		p.Reset()
		p.line("(%s)", wording.Clip(lack))
		p.WriteString(known)
	case lack != "":
		p.line("(%s)", wording.Clip(lack))
	}
	return strings.TrimRight(p.String(), "\n")
}

// plain is a text without control characters.
func plain(s string) string {
	if printable(s) { // nearly all of source
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case controls(r):
			return -1
		}
		return r
	}, s)
}

// printable says whether a text holds no control characters.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' {
			return !strings.ContainsFunc(s[i:], controls)
		}
	}
	return true
}

// controls says whether a character, or what is none, may do something to a terminal.
func controls(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// text returns a pointer to s, or nil for "", which is null in JSON.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// warning joins what went wrong with a name and what the answer lacks; nil if neither did.
func warning(problem string, c lsp.Completeness) *string {
	lack := query.Incompleteness(c)
	if problem != "" && lack != "" {
		problem += "; "
	}
	return text(problem + lack)
}

func heading(path string, line int, name, kind, documentation string) string {
	return path + ":" + itoa(line) + ": " + name + ", " + kind + comment(documentation)
}

// comment is the first sentence of a documentation.
func comment(text string) string {
	if text = new(doc.Package).Synopsis(text); text == "" {
		return ""
	}
	return "  // " + wording.Clip(text)
}

// A Candidate is one of several things that a name may mean.
type Candidate = query.Candidate

func writeCandidates(p *page, root string, candidates []Candidate) {
	list(p, candidates, query.MaxCandidates, func(c Candidate) {
		kind := string(c.Kind)
		if c.Language != "" {
			kind += ", " + c.Language
		}
		p.line("%s:%d: %s (%s)", query.Relative(root, c.File), c.Line, c.Name, kind)
	})
}

func itoa(n int) string { return strconv.Itoa(n) }
