package doctor

import (
	"errors"
	"testing"
)

func TestLanguages(t *testing.T) {
	missing := func() (string, error) {
		return "", &hinted{"no language server for Go: gopls is not on PATH", "run: go install gopls"}
	}
	l := Languages{{Name: "Rust", Find: missing}}
	wantFine(t, l, "language servers", "no language that one is needed for")
	l = append(l, Language{Name: "Go", Used: true, Find: missing})
	wantProblem(t, l, "language server for Go", "gopls is not on PATH", "run: go install gopls")
	l[1].Find = func() (string, error) { return "", errors.New("no") }
	wantProblem(t, l, "language server for Go", "no", "install it")
	l[1].Find = func() (string, error) { return "/bin/gopls", nil }
	wantFine(t, l, "language server for Go", "/bin/gopls")
}
