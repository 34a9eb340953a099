package serve

import (
	"context"

	"tidepool/internal/config"
	"tidepool/internal/diagnostics"
	"tidepool/lsp"
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
