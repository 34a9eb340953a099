// Package golang answers about Go what gopls does not: from its parser about a place, from the analysis process about the
// types of a module, also as other systems build it, and from its tests about what they run.
//
// A walk belongs to one query: it keeps which tests were asked about.
package golang

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/golang/typing"
	"tidepool/tools/internal/query"
)

// A Memory is what queries of one project leave of its Go for those to come. The zero value is empty and ready; it must not
// be copied.
type Memory struct {
	Files syntax.Files
	// Analysis tells what types say of more than one place; nil: that is not known. Set it before the first query.
	Analysis *analysis.Client

	walks atomic.Uint64 // counts walks
	text  typing.Memory
}

// A walk is what one query knows of Go.
type walk struct {
	Files *syntax.Reading

	builtFiles

	memory   *Memory
	id       uint64              // among the walks of memory
	coverage *coverage.Collector // nil: no test is run to see what it runs
	tally    testTally
	typing   typing.Reader
	turn     sync.Mutex // reads for the typing of a place: of dozens of places that are asked about at a time each may be in another file of megabytes
}

// An explorer is such a walk in its graph.
type explorer struct {
	*graph.Graph
	*walk
}

// packageFiles lists the files of the package that a file belongs to.
func (w *walk) packageFiles(path string) []string {
	var paths []string
	for _, f := range w.Files.Package(path) {
		paths = append(paths, f.Path)
	}
	return paths
}

// signature puts "type" before a type's, which gopls leaves out: it may stand before several.
func signature(s lsp.Symbol, head, _ string) string {
	if query.IsType(s.Kind) {
		return "type " + head
	}
	return head
}

// measure has the tests of a file's module run in the background, to see which functions they run.
func (w *walk) measure(g *graph.Graph, path string) {
	if module := coverage.ModuleOf(filepath.Dir(path), g.View.Root()); module != "" {
		w.coverage.Want(module)
	}
}

// outerAt returns the top-level declaration around a place.
func (w *walk) outerAt(_ *query.Query, l lsp.Location) (query.Declaration, error) {
	f, err := w.Files.Open(l.Path)
	if err != nil {
		return query.Declaration{}, err
	}
	return outerIn(f, place(l)), nil
}

// How long the files are read that may declare a name, and how much longer than the View's budget: beside a gopls that loads 6 million lines
// that is enough for a name that many large files mention, such as Copy, and not for Error.
const (
	writtenTime     = 3 * time.Second
	writtenOvertime = 200 * time.Millisecond
)

// written lists the declarations of a name in the files that this system builds, as their text has them.
func (w *walk) written(ctx context.Context, q *query.Query, name string) ([]lsp.Symbol, error) {
	var all []lsp.Symbol
	files := q.View.WrittenIn("go", name)
	end := time.Now().Add(min(writtenTime, max(0, time.Until(q.View.Deadline()))+writtenOvertime))
	for ; len(files) > 0; files = files[1:] {
		if time.Now().After(end) {
			q.Doubt(fmt.Sprintf("%d files that mention %s were not read in time", len(files), name))
			break
		}
		path := files[0]
		f, err := w.Files.Open(path)
		if err != nil || !q.Within(path) || passedOver(q.Relative(path)) || !f.MayDeclare(name) || w.isLeftOut(path) {
			continue
		}
		declared, err := w.declaredAs(ctx, q, path, name)
		if err != nil {
			return nil, err
		}
		for _, s := range declared {
			if s.Name == name {
				all = append(all, s)
			}
		}
	}
	return all, nil
}
