package code

import (
	"strconv"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/toolstest"
)

// clangd does not list what #if leaves out: a function there is found by the text, and the answer is partial.
func TestClangFunctionLeftOut(t *testing.T) {
	c := over(toolstest.Serve(t, t.TempDir(), "c", `
-- .clangd --
-- a.h --
struct hook { int (*run)(int); };
-- a.c --
#include "a.h"
#ifdef ELSEWHERE
static int left(int n);

static int
left(int n)
{
	return n ? left(n - 1) : 0;
}
#endif

int both(void) { return 1; }

int use(struct hook *h)
{
#ifdef ELSEWHERE
	h->run = left;
	return left(1);
#else
	return both();
#endif
}
-- b.cpp --
namespace geo {
struct box { int side(); };
#ifdef ELSEWHERE
int box::most() { return most(); }
#endif
}
`))
	for name, want := range map[string]struct {
		line  int
		state lsp.State
		maybe string // lines of what may be calls
	}{
		"left":      {6, lsp.Partial, "8 17 18"},
		"a.c:left":  {6, lsp.Partial, "8 17 18"},
		"both":      {12, lsp.Complete, ""},
		"box::most": {4, lsp.Partial, "4"},
		"missing":   {0, lsp.Complete, ""},
	} {
		out := asked(t, c, name)
		if out.Completeness.State != want.state || want.state == lsp.Partial && !strings.Contains(out.Completeness.Reason, "where the language server does not look") {
			t.Errorf("%s: %+v\n%s", name, out.Completeness, out.Text())
		}
		line := 0
		if out.DefinitionLine != nil {
			line = *out.DefinitionLine
		}
		if line != want.line {
			t.Errorf("%s: found at %d\n%s", name, line, out.Text())
		}
		var maybe []string
		for _, m := range out.Unresolved {
			maybe = append(maybe, strconv.Itoa(m.Line))
		}
		if got := strings.Join(maybe, " "); got != want.maybe {
			t.Errorf("%s: what may be calls: %s, want %s\n%s", name, got, want.maybe, out.Text())
		}
	}
}
