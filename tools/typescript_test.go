package tools

import "testing"

// TestTypeScript asks about testdata/typescript.txtar, served by one tsserver.
func TestTypeScript(t *testing.T) {
	compareAnswers(t, serveFile(t, "typescript", "typescript"), "typescript")
}
