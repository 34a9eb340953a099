package tools

import "testing"

// Each role and trait of Go, over a small module.
func TestGoRoles(t *testing.T) {
	compareAnswers(t, serveFile(t, "go", "roles"), "roles")
}
