// Package langtest computes the edges of small projects as scout does, for tests of languages.
package langtest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// A Subject is a project that is asked about.
type Subject struct {
	toolstest.Tree
	lang.Memory
}

// Walk begins a walk.
func (s *Subject) Walk(t testing.TB) *graph.Graph {
	t.Helper()
	if s.Go.Analysis == nil {
		s.Go.Analysis = toolstest.Analysis(t, analysis.Options{})
	}
	view, err := s.Project.View(t.Context(), lsp.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph(view, s.Root, lang.Options{ReuseReads: true})
}

// Memory returns an empty memory with an analysis process, until the test ends.
func Memory(t testing.TB) *lang.Memory {
	t.Helper()
	m := new(lang.Memory)
	m.Go.Analysis = toolstest.Analysis(t, analysis.Options{})
	return m
}

// Know reads what packages beyond a project of Go declare, however long it takes.
func Know(t testing.TB, m *lang.Memory, view *lsp.View) {
	t.Helper()
	sources := slices.DeleteFunc(view.Sources(""), func(path string) bool { return filepath.Ext(path) != ".go" })
	var dirs []string
	for _, path := range sources {
		dirs = append(dirs, filepath.Dir(path))
	}
	slices.Sort(dirs)
	attempt := analysis.Attempt{Dirs: slices.Compact(dirs), Edits: []fact.Edit{{Path: sources[0]}}, Extent: fact.Whole}
	if _, err := m.Go.Analysis.Try(t.Context(), analysis.Tree{Sources: sources}, attempt); err != nil {
		t.Fatal(err)
	}
}

// Doubts are why what a graph tells may lack something.
func Doubts(g *graph.Graph) string { return g.Doubted(lsp.Completeness{State: lsp.Complete}).Reason }

// EdgeLines writes the edges from what a name means under a kind of change, one to a line.
func (s *Subject) EdgeLines(t testing.TB, name string, kind scout.ChangeKind) string {
	t.Helper()
	g := s.Walk(t)
	nodes, err := g.Resolve(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range nodes {
		edges, err := g.Edges(t.Context(), n, scout.Change{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			line := fmt.Sprintf("%s: %s in %s", e.To.Location(), e.Role, e.To.Name)
			if e.Reason != "" {
				line += " (" + e.Reason + ")"
			}
			line += traitText(e)
			if e.Test {
				line += " [test]"
			}
			if e.Last {
				line += " [last]"
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// traitText writes the traits of an edge: " <generated: stringer; left out>".
func traitText(e scout.Edge) string {
	var texts []string
	for _, t := range e.Traits {
		text := string(t.Name)
		if t.Detail != "" {
			text += ": " + t.Detail
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	return " <" + strings.Join(texts, "; ") + ">"
}

// VerdictText writes what becomes of a change of a name, one place to a line.
func (s *Subject) VerdictText(t testing.TB, name string, c scout.Change) string {
	t.Helper()
	g := s.Walk(t)
	nodes, err := g.Resolve(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := g.Check(t.Context(), c, nodes)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range verdict.Broken {
		line := fmt.Sprintf("%s %s", e.To.Location(), e.Role)
		if outer := cmp.Or(e.Enclosing, e.To.Name); outer != e.From.Name {
			line += " in " + outer
		}
		if e.Fix != "" {
			line += ": " + e.Fix
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	switch {
	case verdict.Senseless:
		lines = append(lines, "senseless: "+verdict.Refusal)
	case verdict.Refusal != "":
		lines = append(lines, "refused: "+verdict.Refusal)
	}
	for _, path := range g.View.Sources("") {
		if verdict.Unseen != nil && verdict.Unseen(g.Relative(path)) {
			lines = append(lines, "unseen "+g.Relative(path))
		}
	}
	return strings.Join(lines, "\n")
}
