package query

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
)

// A Memory is what queries of one project leave for those to come: what was read of its files. The zero value is empty
// and ready; it must not be copied.
type Memory struct {
	lexed lexer.Files
	outer outlines
}

// Query begins one that looks at the code through a view. Paths are written below the root of the view's tree, or of the
// project where there is no view; with root "" all are absolute.
func (m *Memory) Query(view *lsp.View, root string, languages func(id string) Language) *Query {
	if view != nil && root != "" {
		root = view.Root()
	}
	return &Query{View: view, Root: root, Lexed: m.lexed.Read(), outlines: &m.outer, Languages: languages, began: time.Now(), macros: new(macros), further: new(further)}
}

// ReuseReads takes files to be what they are when they are first looked at, as a short query may.
func (q *Query) ReuseReads() {
	q.Lexed.ReuseRevisions(q.View.Revision)
	q.insides = &insides{kept: map[Spot]string{}}
}

// A Query is what one tool call asks through. A Memory makes it, and it ends with the call.
type Query struct {
	View  *lsp.View      // what the servers say; nil only where none is asked
	Root  string         // absolute directory below which paths are written; "": all paths are absolute
	Lexed *lexer.Reading // of all languages
	// Languages returns what is known of the language with an ID; the zero Language, which has no Use, if nothing.
	Languages func(id string) Language

	began    time.Time
	outlines *outlines
	insides  *insides
	macros   *macros
	further  *further
	doubts   []string // why the answer may lack something, beyond what the servers say
	late     []string // paths of files whose declarations were not listed in time
	awaited  bool     // a server has not answered in time
}

// Doubt takes note of why the answer may lack something; "" is nothing.
func (q *Query) Doubt(reason string) {
	if reason != "" && !slices.Contains(q.doubts, reason) {
		q.doubts = append(q.doubts, reason)
	}
}

// Late reports whether err means that a server has not answered in time. Then what it was asked for, such as "references of F",
// is what the answer lacks.
func (q *Query) Late(what string, err error) bool {
	if err == nil || !lsp.Unanswered(err) {
		return false
	}
	q.awaited = true
	q.Doubt(what + " not known yet: " + excerpt.OneLine(err.Error()))
	return true
}

// Doubted returns what an answer is worth with the doubts about it.
func (q *Query) Doubted(c lsp.Completeness) lsp.Completeness {
	if len(q.doubts) == 0 {
		return c
	}
	switch {
	case q.awaited:
		c.State = lsp.Indexing
	case c.State == lsp.Complete:
		c.State = lsp.Partial
	}
	c.Reason = strings.TrimPrefix(c.Reason+"; "+strings.Join(q.doubts, "; "), "; ")
	return c
}

// Relative writes a path below the project as people and models read it; others stay absolute.
func (q *Query) Relative(path string) string {
	return Relative(q.Root, path)
}

// Relative writes a path below a directory with slashes, from there on; others stay as they are.
func Relative(root, path string) string {
	if below, ok := strings.CutPrefix(path, root); ok && len(below) > 1 && below[0] == filepath.Separator && clean(below) {
		return filepath.ToSlash(below[1:])
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(rel)
}

// clean reports whether a path that starts with a separator is as filepath.Clean leaves it.
func clean(path string) bool {
	const separator = string(filepath.Separator)
	suspect := strings.Contains(path, separator+".") || strings.Contains(path, separator+separator) || strings.HasSuffix(path, separator)
	return !suspect || filepath.Clean(path) == path
}

// Within reports whether a path belongs to the project: that it stands below Root, or that there is none.
func (q *Query) Within(path string) bool { return q.Root == "" || !filepath.IsAbs(q.Relative(path)) }

// Spot is where a location starts, as a key.
type Spot struct {
	Path         string
	Line, Column int
}

// SpotOf returns where a location starts.
func SpotOf(l lsp.Location) Spot { return Spot{l.Path, l.Range.Start.Line, l.Range.Start.Column} }

// Incompleteness says in one line why an answer may lack something, "" if it is complete.
func Incompleteness(c lsp.Completeness) string {
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
