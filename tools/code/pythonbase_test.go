package code

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools/internal/toolstest"
)

// A method is called through the class that it overrides a method of, be that in the project or outside of it. Files that pyright is
// told to leave out are named together.
func TestPythonCallsThroughBases(t *testing.T) {
	c := over(toolstest.Serve(t, filepath.Join(t.TempDir(), "py"), "python", `
-- pyproject.toml --
[tool.pyright]
include = ["src"]
-- src/shop/__init__.py --
-- src/shop/base.py --
class CookieBox:
    def put(self, c: str) -> None:
        self.c = c

class Box(CookieBox):
    def put(self, c: str) -> None:
        super().put(c)

def fill(box: CookieBox) -> None:
    box.put("a")

def own(box: Box) -> None:
    box.put("b")
-- src/shop/jar.py --
from http.cookiejar import CookieJar, Cookie
import threading

class Jar(CookieJar):
    def set_cookie(self, cookie: Cookie) -> None:
        super().set_cookie(cookie)

def fill(jar: CookieJar, c: Cookie) -> None:
    jar.set_cookie(c)

def own(jar: Jar, c: Cookie) -> None:
    jar.set_cookie(c)

class Worker(threading.Thread):
    def run(self) -> None:
        tested()

def direct(t: threading.Thread) -> None:
    t.run()

def tested() -> None:
    pass
-- tests/test_one.py --
from shop.jar import tested
tested()
-- tests/test_two.py --
from shop.jar import tested
tested()
-- tests/deep/test_three.py --
from shop.jar import tested
tested()
`))
	for name, want := range map[string]struct{ sites, through string }{
		"Box.put":        {"src/shop/base.py:10 interface call, src/shop/base.py:13 call", "CookieBox.put"},
		"CookieBox.put":  {"src/shop/base.py:7 call, src/shop/base.py:10 call", ""},
		"Jar.set_cookie": {"src/shop/jar.py:9 interface call, src/shop/jar.py:12 call", "CookieJar.set_cookie"},
		"Worker.run":     {"src/shop/jar.py:19 interface call", "Thread.run"},
	} {
		out := asked(t, c, name)
		if got := placesOf(c, out); got != want.sites || out.Completeness.State != lsp.Complete {
			t.Errorf("%s: %s, want %s\n%s", name, got, want.sites, out.Text())
		}
		through := func(s CallSite) bool { return s.Kind != "interface call" || s.Via == want.through }
		if !slices.Equal(out.Implements, strings.Fields(want.through)) || want.through != "" && !slices.ContainsFunc(out.CallSites, through) {
			t.Errorf("%s: %+v", name, out)
		}
	}
	const group = "tests/deep/test_three.py mentions tested but is not in what include names in pyproject.toml, as do 2 more files below tests"
	if out := asked(t, c, "tested"); out.Completeness.Reason != group {
		t.Errorf("left out: %+v, want %s", out.Completeness, group)
	}
}

// Operators and statements call methods that they do not name.
func TestPythonCallsWithoutName(t *testing.T) {
	c := over(toolstest.Serve(t, filepath.Join(t.TempDir(), "py"), "python", `
-- jar.py --
class Jar:
    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def plain(self) -> int:
        return len(self)

Jar(1).plain()
`))
	for name, want := range map[string]string{
		"Jar.__len__": ": Python calls __len__ without naming it", "Jar.__init__": "jar.py:11 new: ", "Jar.plain": "jar.py:11 call: ",
	} {
		out := asked(t, c, name)
		if got := placesOf(c, out) + ": " + out.Completeness.Reason; got != want {
			t.Errorf("%s: %s, want %s\n%s", name, got, want, out.Text())
		}
	}
}
