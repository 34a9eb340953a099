package code

import (
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/tools/internal/toolstest"
)

// pyright does not list code for another platform: a name in it is found by the text, and the answer is partial.
func TestPythonOfAnotherPlatform(t *testing.T) {
	c := over(toolstest.Serve(t, t.TempDir(), "python", `
-- a.py --
import sys

class Case:
    if sys.platform == "plan9":
        def escape(self):
            return 1

    def listed(self):
        def inner():
            return 2
        return inner()

class Other:
    pass

def use():
    return Case().listed() + Case().escape()
`))
	for name, want := range map[string]struct {
		state lsp.State
		found bool
	}{
		"escape":           {lsp.Partial, true},
		"Case.escape":      {lsp.Partial, true},
		"a.py:Case.escape": {lsp.Partial, true},
		"a.Case.escape":    {lsp.Partial, true},
		"Other.escape":     {lsp.Partial, false},
		"other.listed":     {lsp.Complete, false},
		"missing":          {lsp.Complete, false},
	} {
		out := asked(t, c, name)
		says := strings.Contains(out.Completeness.Reason, "a.py:5 declares escape where the language server does not look")
		if out.Completeness.State != want.state || says != (want.state == lsp.Partial) {
			t.Errorf("%s: %+v\n%s", name, out.Completeness, out.Text())
		}
		if found := out.DefinitionLine != nil && *out.DefinitionLine == 5; found != want.found {
			t.Errorf("%s: found %t\n%s", name, found, out.Text())
		}
		if want.found && (len(out.Unresolved) != 1 || out.Unresolved[0].Line != 17) {
			t.Errorf("%s: what may be calls: %v\n%s", name, out.Unresolved, out.Text())
		}
	}
}

// A name that a file imports means what is imported there: pyright is asked about the import alone, unless it does not know that.
func TestPythonImportedNames(t *testing.T) {
	uses := strings.Repeat("load()\n", 150)
	c := over(toolstest.Serve(t, t.TempDir(), "python", "-- lib.py --\ndef load():\n    return 1\n\nload()\n"+
		"-- other.py --\ndef load():\n    return 2\n-- many.py --\nfrom other import load\n"+uses+
		"-- renamed.py --\nfrom other import load as unload\n\ndef f(load):\n    return load()\n"+
		"-- within.py --\ndef f():\n    from other import load\n    return load()\n"))
	out := asked(t, c, "lib.load")
	if got := placesOf(c, out); got != "lib.py:4 call" || out.Completeness.State != lsp.Complete || len(out.Unresolved) > 0 {
		t.Errorf("%s %+v\n%s", got, out.Completeness, out.Text())
	}
	lsptest.Put(t, filepath.Join(c.Root, "lost.py"), "from missing import load\n\nload()\n\ndef f():\n    load()\n")
	out = asked(t, c, "lib.load")
	if got := len(out.Unresolved); got != 3 || out.Completeness.State != lsp.Partial || !strings.Contains(out.Completeness.Reason, "3 mentions of load may mean it: pyright does not know") {
		t.Errorf("%d unresolved, %+v\n%s", got, out.Completeness, out.Text())
	}
}
