package python

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// drafting tries changes out in pyright. Measured with 1.1.414: in the mode "workspace" a request for the errors of
// a file that is not open is answered from the texts of those that are, if they have changed since they were opened. What
// else a file depends on is not looked at again when it is opened with another text than that of the disk.
func drafting() *session.Drafting {
	return &session.Drafting{Adapt: adapt, Check: check, OpensFirst: true}
}

// adapt has pyright look at files that are not open.
func adapt(l *session.Language) {
	l.SetSetting("analysis", "diagnosticMode", "workspace")
	l.Capabilities = map[string]any{"textDocument": map[string]any{"diagnostic": map[string]any{}}}
}

// check asks about each source file.
func check(ctx context.Context, s *session.Session) (session.Diagnostics, error) {
	return s.AskEach(ctx, func(ctx context.Context, path string) (session.FileErrors, error) {
		params := map[string]any{"textDocument": protocol.TextDocumentIdentifier{URI: text.URI(path)}}
		report, err := session.Ask[diagnosticReport](ctx, s, protocol.MethodTextDocumentDiagnostic, params)
		if err != nil {
			return session.FileErrors{}, err
		}
		if report.Kind != "full" {
			return session.FileErrors{}, fmt.Errorf("%s does not say what is wrong with %s", s.Program(), s.Host.Relative(path))
		}
		var all session.FileErrors
		seen := s.Shown(path, nil)
		for _, d := range report.Items {
			if d.Severity == protocol.DiagnosticSeverityError {
				all.Add(session.Problem{Path: path, At: seen.Of(path).Position(d.Range.Start), Message: d.Message}, s.ErrorsKept)
			}
		}
		return all, nil
	})
}

// A diagnosticReport answers a request for the errors of a file.
type diagnosticReport struct {
	Kind  string `json:"kind"`
	Items []struct {
		Range    protocol.Range              `json:"range"`
		Severity protocol.DiagnosticSeverity `json:"severity"`
		Message  string                      `json:"message"`
	} `json:"items"`
}
