package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drafting is a draft of a project's only language.
func drafting(t testing.TB, p *Project) *Draft {
	t.Helper()
	d, err := view(t, p).Draft(t.Context(), p.languages[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// replaced is the edit that puts a text in the place of the only one like old.
func replaced(t testing.TB, dir, name, old, text string) Edit {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(data), old)
	if !found || strings.Count(string(data), old) != 1 {
		t.Fatalf("%s has %q %d times", name, old, strings.Count(string(data), old))
	}
	return Edit{Path: name, Start: len(before), End: len(before) + len(old), New: text}
}

// try makes edits and writes the errors as lines.
func try(t testing.TB, d *Draft, edits ...Edit) []string {
	t.Helper()
	found, err := d.Try(t.Context(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return flat(d.view.Root(), []Errors{{Problems: found}})
}

// TestDraft breaks a caller in another package in rounds, beside an error that was there before.
func TestDraft(t *testing.T) {
	p, dir := project(t, shopAndTill)
	d := drafting(t, p)
	parameter := replaced(t, dir, "price/price.go", "item string", "item string, tax int")
	want := []string{"till/till.go:7:32: not enough arguments in call to price.Of have (string) want (string, int)"}
	if got := try(t, d, parameter); !cmp.Equal(got, want) {
		t.Errorf("a parameter more: %q", got)
	}
	if got := try(t, d, replaced(t, dir, "till/till.go", "Of(item)", "Of(item, 0)")); len(got) > 0 {
		t.Errorf("an argument more: %q", got)
	}
	lines := replaced(t, dir, "old/old.go", "package old\n", "package old\n\nimport \"fmt\"\n")
	want = []string{`old/old.go:1:1: "fmt" imported and not used`}
	if got := try(t, d, lines); !cmp.Equal(got, want) {
		t.Errorf("with lines put in before an old error: %q", got)
	}
	d.Close()
	check := p.Check(patient(t), "price/price.go")
	if got := flat(dir, check.Now); !check.Over || len(got) != 1 {
		t.Errorf("another session sees %q", got)
	}
	if got := try(t, drafting(t, p), parameter); len(got) != 1 {
		t.Errorf("in the next draft: %q", got)
	}
}
