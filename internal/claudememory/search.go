package claudememory

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/fulltext"
)

// Files are the memory files of Claude Code. They are read at every search: there are few, they are small, and they change while sessions
// run. It is safe for concurrent use, and keeps nothing.
type Files struct{ options Options }

// New returns the files that options say.
func New(o Options) *Files { return &Files{o} }

// A Query says what to look for.
type Query struct {
	Text    string
	Dir     string // absolute; where the session is
	Project string // only the memory directories of projects whose path contains this; "": what the session in Dir has
	Limit   int    // passages; at least 1
}

// A Hit is a passage that matches.
type Hit struct {
	Passage
	Score   float64
	Snippet string // the part of the passage with the most of the query's words, on one line
}

// Found is an answer.
type Found struct {
	Hits    []Hit // best first
	Matches int   // passages that match
	Files   int   // that were searched
	Skipped []Skipped
	More    int // files that were skipped beyond those
}

// mostSnippet bounds a snippet, in characters.
const mostSnippet = 300

// List returns the files of a session in a directory, and those that it does not read.
func (f *Files) List(dir string) ([]File, []Skipped) {
	g := gather(f.options.places(dir))
	return g.files, g.skipped
}

// Search finds passages by their words. The error is the context's.
func (f *Files) Search(ctx context.Context, q Query) (Found, error) {
	where := f.options.ofProject(q.Project)
	if q.Project == "" {
		where = f.options.places(q.Dir)
	}
	g := gather(where)
	found := Found{Files: len(g.files), Skipped: g.skipped, More: g.more}
	index := fulltext.New(fulltext.Weights{Weight: []float64{1.5, 1}, Length: []float64{0.3, 0.5}, K1: 1.2})
	var all []Passage
	for _, file := range g.files {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		for _, p := range passages(file) {
			if len(all) >= maxPassages {
				found.Skipped = append(found.Skipped, Skipped{file.Path, "there are too many passages"})
				break
			}
			index.Put(uint32(len(all)), []string{p.Heading + " " + strings.TrimSuffix(filepath.Base(p.Path), ".md"), p.Text})
			all = append(all, p)
		}
	}
	result := index.Search(fulltext.Query{Text: q.Text, Limit: q.Limit, Fields: func(id uint32) []string { return []string{all[id].Heading, all[id].Text} }})
	found.Matches = result.Matches
	for _, hit := range result.Hits {
		p := all[hit.ID]
		snippet, _ := fulltext.Snippet(p.Text, result.Terms, mostSnippet)
		found.Hits = append(found.Hits, Hit{Passage: p, Score: hit.Score, Snippet: snippet})
	}
	return found, nil
}
