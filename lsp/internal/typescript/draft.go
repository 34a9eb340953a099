package typescript

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
)

// drafting tries changes out in tsserver. It publishes errors of open files alone and tells nobody when it has, so it
// is asked about each source file.
func drafting() *session.Drafting {
	return &session.Drafting{Adapt: adapt, Check: check, Passes: unchecked}
}

// adapt leaves out what tsserver would look for in open files besides errors.
func adapt(l *session.Language) {
	l.SetSetting("preferences", "disableSuggestions", true)
}

// unchecked reports whether tsserver may look for no errors of types in a file: one of JavaScript.
func unchecked(_, path string) bool {
	return slices.Contains([]string{".js", ".jsx", ".mjs", ".cjs"}, filepath.Ext(path))
}

// check asks for errors of types, and for those of syntax where they may have changed: in files that are shown
// with another text than that of the disk, in all if none is.
func check(ctx context.Context, s *session.Session) (session.Diagnostics, error) {
	onDisk := !s.Progress.Overlaid()
	return s.AskEach(ctx, func(ctx context.Context, path string) (session.FileErrors, error) {
		commands := []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"}
		if shown, ok := s.Documents.Version(path, nil); !onDisk && (!ok || !shown.Overlaid) {
			commands = commands[1:]
		}
		return faults(ctx, s, path, commands)
	})
}

// A diagnostic is an error, or less, as tsserver writes it.
type diagnostic struct {
	Start struct {
		Line   uint32 `json:"line"`
		Offset uint32 `json:"offset"`
	} `json:"start"`
	Text     string `json:"text"`
	Category string `json:"category"`
}

// faults asks about one file.
func faults(ctx context.Context, s *session.Session, path string, commands []string) (all session.FileErrors, err error) {
	seen := s.Shown(path, nil)
	for _, command := range commands {
		list, err := tsserver[[]diagnostic](ctx, s, command, map[string]any{"file": path})
		if err != nil {
			return session.FileErrors{}, err
		}
		for _, d := range list {
			if d.Category == "error" {
				start := protocol.Position{Line: d.Start.Line - 1, Character: d.Start.Offset - 1}
				all.Add(session.Problem{Path: path, At: seen.Of(path).Position(start), Message: d.Text}, s.ErrorsKept)
			}
		}
	}
	return all, nil
}
