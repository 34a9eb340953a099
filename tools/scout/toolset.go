// Package scout has the tool that finds what a change of code affects, the
// most relevant first.
package scout

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/graph"
	"tidepool/tools/lang"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Toolset explores what a change touches. It needs Project, Root, Memory and Scorer; use it by pointer.
type Toolset struct {
	Project *lsp.Project
	Root    string       // absolute directory of the project
	Memory  *lang.Memory // what the toolsets of one project have read of it
	Scorer  scout.Scorer
	// Advice says how to have another scorer than the rules that nobody has chosen: an answer that they put in order ends
	// with it. "" if somebody has chosen the scorer.
	Advice string
	// Record is given each answer before it is returned, to learn from it; nil: nobody learns.
	Record func(*scout.Answer)
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// Scout explores what a change touches, best first.
func (s *Toolset) Scout(ctx context.Context, call tools.Call, in Input) (*Output, error) {
	if s.Scorer == nil {
		return nil, errors.New("scout has no scorer")
	}
	begun := time.Now()
	view, err := tools.LookStrictly(ctx, call, s.Project, in.Wait)
	if err != nil {
		return nil, err
	}
	visited, told := exploring(call)
	g := s.Memory.Graph(view, s.Root, lang.Options{Report: told})
	query := scout.Query{Text: in.Query, Symbols: in.Symbols, Depth: in.Depth, Change: scout.Change(in.Change), Explain: in.Explain}
	answer, err := scout.Walk(ctx, g, s.Scorer, query, scout.Options{Progress: visited})
	if err != nil {
		return nil, err
	}
	g.Doubt(g.Tests.Doubt())
	answer.Completeness = g.Doubted(concerning(answer, view.Completeness()))
	if s.Record != nil {
		s.Record(answer)
	}
	prepare(g, answer)
	out := &Output{
		Answer: answer, Limits: g.Limits, Unsupported: unsupported(g, answer), Languages: rolesOf(g, answer), Tests: g.Tests, Requests: view.Requests(),
		MS: time.Since(begun).Milliseconds(), ModelMS: answer.Scoring.Milliseconds(),
	}
	if answer.Ordered() {
		out.Advice = s.Advice
	}
	return out, nil
}

// exploring tells the caller of a walk how many declarations it has visited, and what it waits for beyond those.
func exploring(call tools.Call) (visited func(done, budget int), told func(message string)) {
	declarations, messages := 0.0, 0.0
	visited = func(done, budget int) {
		declarations = float64(done)
		call.Report(tools.Progress{Done: declarations, Total: float64(budget), Message: "exploring"})
	}
	told = func(message string) {
		messages++
		call.Report(tools.Progress{Done: declarations + messages/(messages+1), Message: message})
	}
	return visited, told
}

// prepare begins what later questions about the symbols of an answer can use.
func prepare(g *graph.Graph, answer *scout.Answer) {
	for _, p := range answer.Pointers {
		if p.Depth == 0 {
			path, _, _ := strings.Cut(p.Location, ":")
			g.Prepare(filepath.Join(g.Root, filepath.FromSlash(path)))
		}
	}
}
