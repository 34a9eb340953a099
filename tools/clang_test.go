package tools

import "testing"

// TestClang asks about testdata/clang.txtar, served by one clangd.
func TestClang(t *testing.T) {
	shapes := serveFile(t, "c", "clang")
	compareAnswers(t, shapes, "clang")
	// Where the system declares it, and what it does with it there, is its own business.
	out, err := shapes.FindCallers(t.Context(), Call{}, FindCallersInput{Name: "printf", MaxResults: 50})
	if err != nil || len(out.CallSites) != 1 || out.CallSites[0].Enclosing != "show" {
		t.Errorf("callers of printf: %+v, %v; want one in show", out, err)
	}
}
