package tools

import "testing"

// TestPython asks about testdata/python.txtar, served by one pyright.
func TestPython(t *testing.T) {
	compareAnswers(t, serveFile(t, "python", "python"), "python")
}
