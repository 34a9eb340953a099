// Package golang answers about Go what gopls does not: from its parser about a place, from the analysis process about the
// types of a module, also as other systems build it, and from its tests about what they run.
//
// A walk belongs to one query: it keeps which tests were asked about.
package golang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// A Memory is what queries of one project leave of its Go for those to come. The zero value is empty and ready; it must not
// be copied.
type Memory struct {
	Files syntax.Files
	// Analysis tells what types say of more than one place; nil: that is not known. Set it before the first query.
	Analysis *analysis.Client

	walks atomic.Uint64 // counts walks
}

// A walk is what one query knows of Go.
type walk struct {
	Files *syntax.Reading

	memory   *Memory
	id       uint64              // among the walks of memory
	coverage *coverage.Collector // nil: no test is run to see what it runs
	tally    testTally
	methods  declaredMethods
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

// writtenTime is how long the files are read that may declare a name.
const writtenTime = 3 * time.Second

// written lists the declarations of a name in the files that this system builds, as their text has them.
func (w *walk) written(ctx context.Context, q *query.Query, name string) ([]lsp.Symbol, error) {
	var all []lsp.Symbol
	files := q.View.WrittenIn("go", name)
	for began := time.Now(); len(files) > 0; files = files[1:] {
		if time.Since(began) > writtenTime {
			q.Doubt(fmt.Sprintf("%d files that mention %s were not read in time", len(files), name))
			break
		}
		path := files[0]
		f, err := w.Files.Open(path)
		if err != nil || !q.Within(path) || passedOver(q.Relative(path)) || !f.MayDeclare(name) || isLeftOut(path) {
			continue
		}
		declared, err := w.declared(ctx, q, path)
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

// declaredMethods are the methods of a name that a package declares, by the names of their types. The zero value is empty and ready.
type declaredMethods struct {
	mu   sync.Mutex
	made map[packageMethod]map[string]query.Spot
}

// A packageMethod is a name of methods in a package, with or without the package's tests.
type packageMethod struct {
	dir, pkg, method string
	test             bool
}

// named returns where the method is declared that a place names, if the text there leaves no doubt: it is called on a value of a type
// that declares it itself. To ask gopls costs that it type-checks the package, a second for some generated ones.
func (w *walk) named(at lsp.Location, method string) (query.Spot, bool) {
	f, err := w.Files.Open(at.Path)
	if err != nil {
		return query.Spot{}, false
	}
	name, ok := f.OperandType(place(at))
	if !ok {
		return query.Spot{}, false
	}
	own := w.own(f, method)[name]
	return own, own.Path != ""
}

// own returns where the package of a file declares methods of a name; the zero Spot for a method that several files declare, each for
// another system or tag.
func (w *walk) own(f *syntax.File, method string) map[string]query.Spot {
	key := packageMethod{filepath.Dir(f.Path), f.Package, method, f.Test()}
	w.methods.mu.Lock()
	defer w.methods.mu.Unlock()
	if all, ok := w.methods.made[key]; ok {
		return all
	}
	all := make(map[string]query.Spot)
	for _, of := range w.variants(f) {
		for name, at := range of.MethodsNamed(method) {
			spot := query.Spot{Path: of.Path, Line: at.Line, Column: at.Column}
			if _, twice := all[name]; twice {
				spot = query.Spot{}
			}
			all[name] = spot
		}
	}
	if w.methods.made == nil {
		w.methods.made = make(map[packageMethod]map[string]query.Spot)
	}
	w.methods.made[key] = all
	return all
}

// variants returns the files of the package that a file belongs to, for whatever system and tag they are; those for tests only if it
// is one.
func (w *walk) variants(f *syntax.File) []*syntax.File {
	entries, _ := os.ReadDir(filepath.Dir(f.Path))
	var all []*syntax.File
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".go" {
			continue
		}
		of, err := w.Files.Open(filepath.Join(filepath.Dir(f.Path), entry.Name()))
		if err == nil && of.Package == f.Package && (f.Test() || !of.Test()) {
			all = append(all, of)
		}
	}
	return all
}
