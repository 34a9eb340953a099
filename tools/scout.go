package tools

import (
	"context"
	"errors"
	"time"

	"tidepool/internal/gopackage"
	"tidepool/internal/goreach"
	"tidepool/internal/gosyntax"
	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// Scout is the toolset that explores what a change touches. It needs Project, Root and Scorer; use it by pointer.
type Scout struct {
	Project *lsp.Project
	Root    string // absolute directory of the project
	// Scorer returns the scorer of the next walk. Its error is what the model reads when none can be had.
	Scorer func() (scout.Scorer, error)
	// Record is given each answer before it is returned, to learn from it; nil: nobody learns.
	Record func(*scout.Answer)
	// Unchecked leaves changes untried, as in a language where they cannot be: to compare scorers.
	Unchecked bool

	files    gosyntax.Files
	packages gopackage.Packages // made of files
	calls    goreach.Kept       // made of packages
	lexed    lexer.Files
	outer    outlines
}

// Scout explores what a change touches, best first.
func (s *Scout) Scout(ctx context.Context, in ScoutInput) (*ScoutOutput, error) {
	if s.Scorer == nil {
		return nil, errors.New("scout has no scorer")
	}
	begun := time.Now()
	scorer, err := s.Scorer()
	if err != nil {
		return nil, err
	}
	view, err := look(ctx, s.Project, in.Wait)
	if err != nil {
		return nil, err
	}
	g := &graph{inquiry: inquiry{view: view, root: rootOf(view, s.Root), files: s.files.Read(), lexed: s.lexed.Read(), outlines: &s.outer}, packages: &s.packages, calls: &s.calls}
	query := scout.Query{Text: in.Query, Symbols: scout.Symbols(in.Symbols), Depth: in.Depth, Change: scout.Change(in.Change), Explain: in.Explain}
	answer, err := scout.Walk(ctx, g, scorer, query, scout.Options{Unchecked: s.Unchecked, Progress: func(visited, budget int) {
		ReportProgress(ctx, Progress{Done: float64(visited), Total: float64(budget), Message: "exploring"})
	}})
	if err != nil {
		return nil, err
	}
	answer.Completeness = g.doubted(view.Completeness())
	if s.Record != nil {
		s.Record(answer)
	}
	return &ScoutOutput{
		Answer: answer, Limits: g.limits, Untold: untold(answer), Requests: view.Requests(),
		MS: time.Since(begun).Milliseconds(), ModelMS: answer.Scoring.Milliseconds(),
	}, nil
}
