package code

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
	"tidepool/tools/lang"
)

// A Summarizer describes symbols in one line each, for who must not wait. It shares what the toolset has read.
type Summarizer struct{ Toolset *Toolset }

// A Wanted is what a Summarizer is asked for.
type Wanted struct {
	Name  string   // an identifier
	Dir   string   // where the caller works, absolute
	Paths []string // where the caller looks for it, absolute; empty: in Dir
	Files []string // patterns of the names of files; empty: in all
	Most  int      // symbols; of a name with more of them nothing is certain
}

// A Summary is what a Summarizer knows.
type Summary struct {
	Lines    []string // one for each symbol; none: nothing is certain
	revision int64    // of the tree that was asked about; 0: none was
}

// Summarize returns one line for each symbol that a name means: "Mux.handle: method, mux.go:412, 11 calls in 2 files, 3 tests
// (find_callers for all)". It returns none if the name means nothing or more than Most symbols, if Paths are outside the tree, if
// a language server would have to start, load or catch up, or if the servers do not know all of the answer.
func (z Summarizer) Summarize(ctx context.Context, w Wanted) (Summary, error) {
	t := z.Toolset
	view, err := t.Project.View(ctx, lsp.ViewOptions{Dir: w.Dir, Budget: -1})
	if err != nil || !w.looksAtCode(view.Root()) || !view.Warm(w.Name) {
		return Summary{}, err
	}
	known := Summary{revision: view.TreeRevision()}
	q := t.Memory.Query(view, t.Root, lang.Options{ReuseReads: true})
	lines, err := linesOf(ctx, q, w)
	if err != nil {
		return Summary{}, err
	}
	if q.Doubted(view.Completeness()).State == lsp.Complete {
		known.Lines = lines
	}
	return known, nil
}

// Holds reports whether no file of the tree has changed since a summary was made.
func (z Summarizer) Holds(ctx context.Context, w Wanted, s Summary) bool {
	view, err := z.Toolset.Project.View(ctx, lsp.ViewOptions{Dir: w.Dir, Budget: -1})
	return err == nil && view.TreeRevision() == s.revision
}

// linesOf returns the lines of a summary.
func linesOf(ctx context.Context, q *query.Query, w Wanted) ([]string, error) {
	symbols, err := q.Lookup(ctx, query.ParseName(w.Name))
	if err != nil || len(symbols) > w.Most {
		return nil, err
	}
	slices.SortFunc(symbols, func(a, b lsp.Symbol) int {
		return query.CompareSpots(query.SpotOf(a.Location), query.SpotOf(b.Location))
	})
	lines := make([]string, 0, len(symbols))
	for _, s := range symbols {
		uses, err := usesOf(ctx, q, s)
		if err != nil || uses == "" {
			return nil, err
		}
		at := fmt.Sprintf("%s:%d", q.Relative(s.Location.Path), s.Location.Range.Start.Line)
		lines = append(lines, fmt.Sprintf("%s: %s, %s, %s", q.DisplayName(s), s.Kind, at, uses))
	}
	return lines, nil
}

// looksAtCode reports whether the caller looks into a tree, and into files of a language.
func (w Wanted) looksAtCode(root string) bool {
	paths := w.Paths
	if len(paths) == 0 {
		paths = []string{w.Dir}
	}
	return !slices.ContainsFunc(paths, func(path string) bool {
		return !filepath.IsLocal(query.Relative(root, path)) || len(w.Paths) > 0 && !mayBeCode(path)
	}) && !slices.ContainsFunc(w.Files, func(pattern string) bool { return !mayBeCode(pattern) })
}

// mayBeCode reports whether a path or a pattern has the extension of a language, or none.
func mayBeCode(path string) bool { return filepath.Ext(path) == "" || lsp.LanguageOf(path) != "" }

// usesOf counts the calls of a function, and the uses of anything else; "" if that is not certain.
func usesOf(ctx context.Context, q *query.Query, s lsp.Symbol) (string, error) {
	if !query.Callable(s.Kind) {
		places, err := q.View.References(ctx, s.Location, false)
		if err != nil {
			return "", err
		}
		return counted(wording.Count(len(places), "use"), filesOf(places), nil) + moreOf(s), nil
	}
	found, err := q.CallSites(ctx, s)
	if err != nil || found.Unknown || found.Unread || len(found.Unresolved) > 0 {
		return "", err
	}
	if err := q.Enclose(ctx, found.Sites); err != nil {
		return "", err
	}
	places := make([]lsp.Location, len(found.Sites))
	for i, site := range found.Sites {
		places[i] = site.At
	}
	text := counted(callsAndValues(len(places), valuesAmong(found.Sites)), filesOf(places), testsOf(found.Sites))
	if len(places) > 0 {
		text += " (find_callers for all)"
	}
	return text, nil
}

// moreOf names the tool that tells more of a type; "" for anything else.
func moreOf(s lsp.Symbol) string {
	switch s.Kind {
	case lsp.KindStruct, lsp.KindClass:
		return " (show_fields and show_constructors for more)"
	}
	return ""
}

// counted is "11 calls in 2 files, 3 tests", of what there is without the files.
func counted(what string, files []string, tests []string) string {
	if len(files) == 0 {
		return "no " + strings.TrimPrefix(what, "0 ")
	}
	text := what + " in " + wording.Count(len(files), "file")
	if len(tests) > 0 {
		text += ", " + wording.Count(len(tests), "test")
	}
	return text
}

// filesOf returns the files of places, each once.
func filesOf(places []lsp.Location) []string {
	files := make([]string, len(places))
	for i, at := range places {
		files[i] = at.Path
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// testsOf returns the tests in which sites stand, each once. In Go a helper in a test file is no test.
func testsOf(sites []query.Site) []string {
	var tests []string
	for _, s := range sites {
		if s.Use.Test && s.Use.Enclosing != "" && (filepath.Ext(s.At.Path) != ".go" || isGoTest(s.Use.Enclosing)) {
			tests = append(tests, s.At.Path+":"+s.Use.Enclosing)
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}

// isGoTest reports whether a function of a test file is what go test runs.
func isGoTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}
