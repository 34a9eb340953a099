package code

import (
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/toolstest"
)

// pyright does not list code for another platform: an answer that a name in it is not found is partial.
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

def use():
    return Case().listed()
`))
	for name, want := range map[string]lsp.State{
		"escape": lsp.Partial, "Case.escape": lsp.Partial, "a.py:Case.escape": lsp.Partial, "other.listed": lsp.Complete, "missing": lsp.Complete,
	} {
		out := asked(t, c, name)
		says := strings.Contains(out.Completeness.Reason, "a.py:5 declares escape where the language server does not look")
		if out.DefinitionFile != nil || out.Completeness.State != want || says != (want == lsp.Partial) {
			t.Errorf("%s: %+v\n%s", name, out.Completeness, out.Text())
		}
	}
}
