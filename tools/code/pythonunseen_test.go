package code

import (
	"strings"
	"testing"

	"tidepool/lsp"
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
