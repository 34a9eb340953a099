package serve

import (
	"context"

	"tidepool/internal/config"
	"tidepool/internal/diagnostics"
	"tidepool/internal/searchnote"
	"tidepool/lsp"
	"tidepool/protocol"
	codetools "tidepool/tools/code"
)

// A diagnoser returns the errors that the language servers find, for hooks.
type diagnoser struct{ project *lsp.Project }

// Diagnose returns the errors before and after the files changed.
func (d diagnoser) Diagnose(ctx context.Context, paths ...string) diagnostics.Diagnosis {
	check := d.project.Check(ctx, paths...)
	return diagnostics.Diagnosis{Before: errorsByLanguage(check.Before), Now: errorsByLanguage(check.Now), Over: check.Over}
}

// Known returns the errors in the tree of a file that the servers were last sure of.
func (d diagnoser) Known(path string) map[string]diagnostics.Errors {
	return errorsByLanguage(d.project.KnownErrors(path))
}

func errorsByLanguage(all []lsp.Errors) map[string]diagnostics.Errors {
	byLanguage := make(map[string]diagnostics.Errors, len(all))
	for _, of := range all {
		errors := diagnostics.Errors{More: of.More}
		for _, p := range of.Problems {
			errors.Problems = append(errors.Problems, diagnostics.Problem{Path: p.Path, Line: p.At.Line, Column: p.At.Column, Message: p.Message})
		}
		byLanguage[of.Language] = errors
	}
	return byLanguage
}

func newDiagnostics(settings *config.Config) diagnostics.Settings {
	return diagnostics.Settings(settings.Diagnostics)
}

// A describer describes the symbols that a model searches for.
type describer struct{ symbols codetools.Summarizer }

// Describe returns a line for each symbol of the searched name. They hold until a file of the tree changes.
func (d describer) Describe(ctx context.Context, s searchnote.Search) (searchnote.Description, error) {
	wanted := codetools.Wanted{Name: s.Name, Dir: s.Dir, Paths: s.Paths, Files: s.Files, Most: searchnote.MaxLines}
	summary, err := d.symbols.Summarize(ctx, wanted)
	return searchnote.Description{
		Lines: summary.Lines,
		Holds: func(ctx context.Context) bool { return d.symbols.Holds(ctx, wanted, summary) },
	}, err
}

// newSearchNotes makes what writes notes for a model's searches. Close it.
func (p *parts) newSearchNotes() *searchnote.Contributor {
	return searchnote.New(describer{codetools.Summarizer{Toolset: p.code}}, searchnote.Settings(p.settings.SearchNotes), p.log)
}

// searchState returns what became of the searches that a note was looked for.
func searchState(c *searchnote.Contributor) *protocol.SearchState {
	count, enabled := c.Count()
	return &protocol.SearchState{Off: !enabled, Searches: count.Searches, Noted: count.Noted, Late: count.Late}
}
