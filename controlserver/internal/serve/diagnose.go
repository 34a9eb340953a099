package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/config"
	"tidepool/internal/hook"
	"tidepool/lsp"
	"tidepool/protocol"
)

// A diagnoser tells hooks what the language servers find wrong.
type diagnoser struct{ project *lsp.Project }

// Diagnose compares what was wrong before the files changed and after.
func (d diagnoser) Diagnose(ctx context.Context, paths ...string) hook.Diagnosis {
	check := d.project.Check(ctx, paths...)
	return hook.Diagnosis{Before: errorsByLanguage(check.Before), Now: errorsByLanguage(check.Now), Over: check.Over}
}

func errorsByLanguage(all []lsp.Errors) map[string]hook.Errors {
	byLanguage := make(map[string]hook.Errors, len(all))
	for _, of := range all {
		errors := hook.Errors{More: of.More}
		for _, p := range of.Problems {
			errors.Problems = append(errors.Problems, hook.Problem{Path: p.Path, Line: p.At.Line, Column: p.At.Column, Message: p.Message})
		}
		byLanguage[of.Language] = errors
	}
	return byLanguage
}

func newDiagnostics(settings *config.Config) hook.Diagnostics {
	return hook.Diagnostics(settings.Diagnostics)
}

// greeting is what a session reads at its start: what the project is not trusted to run, and who answers at once. It is ""
// if there is neither.
func (p *parts) greeting(tools []protocol.ToolDefinition) string {
	return strings.Trim(p.held.greeting()+"\n"+p.atOnce(tools), "\n")
}

// atOnce says which language servers know the whole project, and the tools that therefore answer at once; "" if none does.
func (p *parts) atOnce(tools []protocol.ToolDefinition) string {
	var complete []string
	for _, s := range p.project.Completeness().Servers {
		if s.State == lsp.Complete {
			complete = append(complete, p.programOf(s.Language))
		}
	}
	if len(complete) == 0 {
		return ""
	}
	return fmt.Sprintf("tidepool: %s has loaded this project (complete): %s answer at once.",
		strings.Join(complete, ", "), strings.Join(usable(tools), ", "))
}

func (p *parts) programOf(language string) string {
	i := slices.IndexFunc(p.languages, func(l lsp.Language) bool { return l.ID == language })
	return filepath.Base(p.languages[i].Command[0])
}

// usable are the names of the tools that answer about the code.
func usable(tools []protocol.ToolDefinition) []string {
	var names []string
	for _, t := range tools {
		var hints struct{ ReadOnlyHint, OpenWorldHint bool }
		if json.Unmarshal(t.Annotations, &hints) != nil || !hints.ReadOnlyHint || hints.OpenWorldHint {
			continue
		}
		names = append(names, t.Name)
	}
	return names
}
