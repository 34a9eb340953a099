package tools

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// Code is the toolset that answers questions about code for certain, through language servers and syntax. It needs
// Project and Root; use it by pointer.
type Code struct {
	Project *lsp.Project
	Root    string // absolute directory of the project, below which paths are written; "": all paths are absolute

	files gosyntax.Files
	lexed lexer.Files
	outer outlines
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

func (c *Code) inquire(ctx context.Context, wait Wait) (*inquiry, error) {
	view, err := look(ctx, c.Project, wait)
	if err != nil {
		return nil, err
	}
	q := &inquiry{view: view, root: rootOf(view, c.Root), files: c.files.Read(), lexed: c.lexed.Read(), outlines: &c.outer, insides: &insides{kept: map[spot]string{}}, languages: languageWith}
	q.files.Trust(view.Revision)
	q.lexed.Trust(view.Revision)
	return q, nil
}

// rootOf is the directory below which paths are written: that of the view's tree, or none.
func rootOf(view *lsp.View, root string) string {
	if root == "" {
		return ""
	}
	return view.Root()
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
