package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tidepool/lsp/lsptest"
)

// The compilers say of small projects what was counted by hand, and find_callers agrees with them.
func TestSamples(t *testing.T) {
	b := newBench(t, 100)
	for name, truth := range map[string]func(context.Context, *subject) ([]function, error){"clang": clangTruth, "python": pythonTruth} {
		t.Run(name, func(t *testing.T) {
			archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			fetch := func(_ context.Context, c *subject) error {
				lsptest.Write(t, c.Dir, string(txtar.Format(archive)))
				return nil
			}
			var told []function
			s, err := b.measure(t.Context(), project{name, name, fetch, func(ctx context.Context, c *subject) (all []function, err error) {
				all, err = truth(ctx, c)
				told = all
				return all, err
			}})
			if err != nil {
				t.Fatal(err)
			}
			if got := counted(told); got != string(archive.Comment) {
				t.Errorf("the compiler says:\n%s", got)
			}
			t.Log(s.told())
			if s.falsely+s.failed+s.disagree > 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// counted writes functions, each with the places of its uses, as the head of an archive has them.
func counted(all []function) string {
	var lines []string
	for _, f := range all {
		line := fmt.Sprintf("%s %s:%d", f.Name, f.At.Path, f.At.Line)
		for _, of := range []struct {
			what   string
			places []place
		}{{"calls", f.Calls}, {"values", f.Values}, {"through", f.Through}, {"may", f.May}, {"named", f.Named}} {
			if len(of.places) > 0 {
				line += "; " + of.what + " " + list(of.places)
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}
