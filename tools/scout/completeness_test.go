package scout

import (
	"testing"

	"tidepool/lsp"
	"tidepool/scout"
)

// An answer is partial only for what may be missing from it.
func TestCompletenessConcernsTheSymbols(t *testing.T) {
	const missing = "no language server for TypeScript: typescript-language-server is not on PATH"
	servers := []lsp.ServerCompleteness{
		{Language: "go", State: lsp.Complete},
		{Language: "typescript", State: lsp.Partial, Reason: missing},
	}
	for _, tt := range []struct {
		location, reason string
		want             lsp.Completeness
	}{
		{"kind.go:3", missing, lsp.Completeness{State: lsp.Complete}},
		{"kind.go:3", missing + "; b_windows.go mentions F", lsp.Completeness{State: lsp.Partial, Reason: "b_windows.go mentions F"}},
		{"kind.ts:3", missing, lsp.Completeness{State: lsp.Partial, Reason: missing}},
		{"", missing, lsp.Completeness{State: lsp.Partial, Reason: missing}},
	} {
		a := &scout.Answer{}
		if tt.location != "" {
			a.Symbols = []scout.Symbol{{Walked: 1, Found: []scout.Candidate{{Location: tt.location}}}}
		}
		got := concerning(a, lsp.Completeness{State: lsp.Partial, Servers: servers, Reason: tt.reason})
		if got.State != tt.want.State || got.Reason != tt.want.Reason || len(got.Servers) != len(servers) {
			t.Errorf("%q of %s: %s %q, want %s %q", tt.reason, tt.location, got.State, got.Reason, tt.want.State, tt.want.Reason)
		}
	}
}
