package haskell

import (
	"testing"

	"tidepool/lsp/internal/session"
)

func TestHaskellWorks(t *testing.T) {
	for title, want := range map[string]bool{
		"Indexing": true, "Processing": true, "Setting up store (for src/Store.hs)": true, "Loading package.yaml": true, "Evaluating": false,
	} {
		if got := works(map[string]session.Task{"1": {Title: title}}); got != want {
			t.Errorf("%s: got %v", title, got)
		}
	}
}
