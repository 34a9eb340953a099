package tools

import (
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// A memory is what inquiries about one project leave for those to come: what was read of its files. The zero value is empty
// and ready; it must not be copied.
type memory struct {
	files gosyntax.Files
	lexed lexer.Files
	outer outlines
}

// inquiry begins one that looks at the code through a view, whose files stand below root as people write them; "": all paths
// are absolute.
func (m *memory) inquiry(view *lsp.View, root string, languages func(id string) language) *inquiry {
	return &inquiry{view: view, root: root, files: m.files.Read(), lexed: m.lexed.Read(), outlines: &m.outer, languages: languages}
}

// trust takes files to be what they are when they are first looked at, as a short inquiry may.
func (q *inquiry) trust() {
	q.files.Trust(q.view.Revision)
	q.lexed.Trust(q.view.Revision)
	q.insides = &insides{kept: map[spot]string{}}
}

// An inquiry is what one tool call asks through.
type inquiry struct {
	view     *lsp.View
	root     string
	files    *gosyntax.Reading
	lexed    *lexer.Reading
	outlines *outlines
	insides  *insides
	// languages returns what is known of the language with an ID; the zero language, which has no use, if nothing.
	languages func(id string) language
	doubts    []string // why the answer may lack something, beyond what the servers say
	late      []string // paths of files whose declarations were not listed in time
}

// doubt takes note of why the answer may lack something; "" is nothing.
func (q *inquiry) doubt(reason string) {
	if reason != "" && !slices.Contains(q.doubts, reason) {
		q.doubts = append(q.doubts, reason)
	}
}

// doubted is what an answer is worth with the doubts about it.
func (q *inquiry) doubted(c lsp.Completeness) lsp.Completeness {
	if len(q.doubts) == 0 {
		return c
	}
	if c.State == lsp.Complete {
		c.State = lsp.Partial
	}
	c.Reason = strings.TrimPrefix(c.Reason+"; "+strings.Join(q.doubts, "; "), "; ")
	return c
}

// relative writes a path below the project as people and models read it; others stay absolute.
func (q *inquiry) relative(path string) string {
	return relative(q.root, path)
}

func relative(root, path string) string {
	if below, ok := strings.CutPrefix(path, root); ok && len(below) > 1 && below[0] == filepath.Separator && clean(below) {
		return filepath.ToSlash(below[1:])
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(rel)
}

// clean says whether a path that starts with a separator is as filepath.Clean leaves it.
func clean(path string) bool {
	const separator = string(filepath.Separator)
	suspect := strings.Contains(path, separator+".") || strings.Contains(path, separator+separator) || strings.HasSuffix(path, separator)
	return !suspect || filepath.Clean(path) == path
}

func (q *inquiry) within(path string) bool { return q.root == "" || !filepath.IsAbs(q.relative(path)) }

// spot is where a location starts, as a key.
type spot struct {
	path         string
	line, column int
}

func spotOf(l lsp.Location) spot { return spot{l.Path, l.Range.Start.Line, l.Range.Start.Column} }

// incompleteness says in one line why an answer may lack something, "" if it is complete.
func incompleteness(c lsp.Completeness) string {
	var advice string
	switch c.State {
	case lsp.Complete:
		return ""
	case lsp.Indexing:
		advice = "; ask again in a moment for the rest"
	}
	if c.Reason == "" {
		return string(c.State) + advice
	}
	return string(c.State) + ": " + c.Reason + advice
}
