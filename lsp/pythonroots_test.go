package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Uses are found across the projects of a tree, however they are nested.
func TestPythonRoots(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, target string // a file, whose first line declares it
		archive      string
		roots        string
		want         string // references to the target
	}{
		{"scripts", "tools/core.py", `
-- tools/core.py --
def target(): ...
-- tools/run.py --
import core
core.target()
`, ".", "tools/run.py:2:6"},
		{"projects in one", "a/src/alpha/core.py", `
-- pyproject.toml --
-- a/pyproject.toml --
-- a/src/alpha/core.py --
def target(): ...
-- a/tests/t.py --
from alpha.core import target
-- b/setup.py --
-- b/src/beta/use.py --
from alpha.core import target
-- b/tests/t.py --
from beta.use import target
`, ".", "a/tests/t.py:1:24 b/src/beta/use.py:1:24 b/tests/t.py:1:22"},
		{"alike", "a/app/core.py", `
-- setup.cfg --
-- a/setup.py --
-- a/app/core.py --
def target(): ...
-- a/run.py --
from app.core import target
-- b/setup.py --
-- b/app/core.py --
def target(): ...
-- b/run.py --
from app.core import target
`, ".", "a/run.py:1:22"},
		{"side by side", "a/app/core.py", `
-- a/setup.py --
-- a/app/core.py --
def target(): ...
-- a/run.py --
from app.core import target
-- b/setup.py --
-- b/app/core.py --
def target(): ...
-- b/run.py --
from app.core import target
`, "a b", "a/run.py:1:22"},
		{"with scripts around", "a/app/core.py", `
-- a/setup.py --
-- a/app/core.py --
def target(): ...
-- a/run.py --
from app.core import target
-- tools/run.py --
from a.app.core import target
target()
`, ". a", "a/run.py:1:22 tools/run.py:1:24 tools/run.py:2:1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, test.archive)
			p := open(t, dir, pyright(t))
			v := view(t, p)
			refs, err := v.References(t.Context(), At(test.target, 1, 5), false)
			if err != nil {
				t.Fatal(err)
			}
			got := brief(dir, refs)
			slices.Sort(got)
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if c := v.Completeness(); c.State != Complete {
				t.Errorf("%s %s", c.State, c.Reason)
			}
			var roots []string
			for _, root := range current(p).Folders() {
				below, _ := filepath.Rel(dir, root)
				roots = append(roots, below)
			}
			if got := strings.Join(roots, " "); got != test.roots {
				t.Errorf("roots %q, want %q", got, test.roots)
			}
		})
	}
}
