// Package lang starts the queries of toolsets about code, and has the table of the programming languages that they know.
package lang

import (
	"sync"

	"tidepool/internal/golang/coverage"
	"tidepool/lsp"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/clang"
	"tidepool/tools/internal/lang/generic"
	"tidepool/tools/internal/lang/golang"
	"tidepool/tools/internal/lang/python"
	"tidepool/tools/internal/lang/typescript"
	"tidepool/tools/internal/query"
)

// A Memory starts queries of one project and keeps what they read for those to come. One serves all toolsets of the project, so
// that none reads a file which another one has read. The zero value is empty and ready; it must not be copied. Safe for
// concurrent use.
type Memory struct {
	// Coverage knows which tests run which functions of Go modules, and learns it of those that are asked about; nil: walks
	// estimate that from the types. Set it before the first query.
	Coverage *coverage.Collector

	Go golang.Memory

	query query.Memory
}

// Options are how a query looks at the code; the zero value asks no more than is needed.
type Options struct {
	ReuseReads bool                 // files stay what they are when they are first looked at, as a short query may assume
	Report     func(message string) // is told what a walk waits for beyond language servers; nil: nobody wants to know
}

// languages has a line for each language that the tools know, by the ID that its server has. A query makes those that it
// asks about.
func (m *Memory) languages(o Options, view *lsp.View) map[string]func() graph.Language {
	return map[string]func() graph.Language{
		"c": clang.Language,
		"go": func() graph.Language {
			if o.ReuseReads {
				return m.Go.Language(view.Revision, m.Coverage)
			}
			return m.Go.Language(nil, m.Coverage)
		},
		"haskell":    generic.Haskell,
		"python":     python.Language,
		"rust":       generic.Rust,
		"typescript": typescript.Language,
	}
}

// Graph begins a walk over the code that a view shows. Paths are written below the root of the view's tree, or of the project
// where there is no view; with root "" all are absolute.
func (m *Memory) Graph(view *lsp.View, root string, o Options) *graph.Graph {
	all := m.languages(o, view)
	for id, begin := range all {
		all[id] = sync.OnceValue(begin)
	}
	known := func(id string) graph.Language {
		if language, ok := all[id]; ok {
			return language()
		}
		return graph.Language{}
	}
	q := m.query.Query(view, root, func(id string) query.Language { return known(id).Language })
	if o.ReuseReads {
		q.ReuseReads()
	}
	return graph.New(q, known, o.Report)
}

// Query begins a query that is no walk.
func (m *Memory) Query(view *lsp.View, root string, o Options) *query.Query {
	return &m.Graph(view, root, o).Query
}
