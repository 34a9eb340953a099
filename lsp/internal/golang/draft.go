package golang

import (
	"context"
	"maps"
	"path/filepath"

	"tidepool/lsp/internal/session"
)

// drafting tries changes out in gopls.
//
// Measured with v0.23 on modules of 40 to 124 files, one change to a declaration that most packages use: what gopls
// publishes by itself takes 100 to 360 ms of CPU and no request; gopls.diagnose_files looks at everything a second time,
// a third more; textDocument/diagnostic takes a request for each file, and three to four times as long.
func drafting() *session.Drafting {
	return &session.Drafting{
		Adapt:  adapt,
		Check:  func(ctx context.Context, s *session.Session) (session.Diagnostics, error) { return s.AwaitQuiet(ctx) },
		Passes: passesOver,
		Reach:  reach,
	}
}

// adapt leaves out what a type checker does not say. Other analyzers cost little: they pass over packages with errors.
// Without any gopls v0.23 panics.
func adapt(l *session.Language) {
	l.Settings = maps.Clone(l.Settings)
	l.Settings["staticcheck"] = false
}

// passesOver reports whether `go list ./...` in a root leaves out the directory of a file by its name.
func passesOver(root, path string) bool {
	below, err := filepath.Rel(root, filepath.Dir(path))
	return err == nil && ignored(below)
}
