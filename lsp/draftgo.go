package lsp

import (
	"context"
	"maps"
	"path/filepath"
)

// goDrafting tries changes out in gopls.
//
// Measured with v0.23 on modules of 40 to 124 files, one change to a declaration that most packages use: what gopls
// publishes by itself takes 100 to 360 ms of CPU and no request; gopls.diagnose_files looks at everything a second time,
// a third more; textDocument/diagnostic takes a request for each file and four times as long.
func goDrafting() *Drafting {
	return &Drafting{
		Adapt: adaptGo,
		Check: func(ctx context.Context, s *session) error { return s.quiet(ctx) },
		Passes: func(root, path string) bool {
			below, err := filepath.Rel(root, filepath.Dir(path))
			return err == nil && goIgnored(below)
		},
	}
}

// adaptGo leaves all out that a type checker does not say. One analyzer must stay: gopls v0.23 panics without any.
func adaptGo(l *Language) {
	l.Settings = maps.Clone(l.Settings)
	l.Settings["staticcheck"] = false
}
