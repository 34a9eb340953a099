package tools

import "testing"

func TestGo(t *testing.T) {
	compareAnswers(t, serveFile(t, "go", "golang"), "golang")
}
