package lsp

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/lsp/internal/python"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// pyright is the table's entry for Python with the program of the tests.
func pyright(t testing.TB) Language {
	t.Helper()
	language := python.Language()
	language.Command[0] = lsptest.Program(t, language.Command[0])
	return language
}

func TestRefinePython(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- a/src/shop/__init__.py --\n-- a/src/shop/till/__init__.py --\n-- b/setup.py --\n-- b/src/shop/till/coin.py --\n-- run.py --\n")
	refined(t, python.Language(), dir, []refinement{
		{"", KindFunction, "run.py", "def main():", Symbol{Name: "main", Package: "run", Kind: KindFunction}},
		{"", KindFunction, "b/src/shop/till/coin.py", "async def add():", Symbol{Name: "add", Package: "shop.till.coin", Kind: KindFunction}},
		{"", KindFunction, "b/tools/do.py", "def do():", Symbol{Name: "do", Package: "tools.do", Kind: KindFunction}},
		{"", KindClass, "a/src/shop/till/__init__.py", "class Till(Base):", Symbol{Name: "Till", Package: "shop.till", Kind: KindClass}},
		{"", KindClass, "a/src/shop/till/note.py", "class Note:", Symbol{Name: "Note", Package: "shop.till.note", Kind: KindClass}},
		{"Till.Slot", KindMethod, "run.py", "    def open(self):", Symbol{Name: "open", Receiver: "Till.Slot", Package: "run", Kind: KindMethod}},
		{"Till", KindVariable, "run.py", "        self.sum = 0", Symbol{Name: "sum", Receiver: "Till", Package: "run", Kind: KindField}},
		{"_Till", KindVariable, "run.py", "    sum: int = 0", Symbol{Name: "sum", Receiver: "_Till", Package: "run", Kind: KindField}},
		{"Till.open", KindVariable, "run.py", "    def open(self, wide):", Symbol{Name: "wide", Receiver: "Till.open", Package: "run", Kind: KindVariable}},
		{"", KindVariable, "run.py", "type Pair = tuple[int, int]", Symbol{Name: "Pair", Package: "run", Kind: KindType}},
		{"", KindVariable, "run.py", "Pair = collections.namedtuple('Pair', 'a b')", Symbol{Name: "Pair", Package: "run", Kind: KindType}},
		{"", KindVariable, "run.py", "Pair: TypeAlias = tuple[int, int]", Symbol{Name: "Pair", Package: "run", Kind: KindType}},
		{"", KindClass, "run.py", "class Color(str, enum.Enum):", Symbol{Name: "Color", Package: "run", Kind: KindEnum}},
		{"", KindClass, "run.py", "class Sized(Protocol[T]):", Symbol{Name: "Sized", Package: "run", Kind: KindInterface}},
		{"", KindClass, "run.py", "class Enumerated:", Symbol{Name: "Enumerated", Package: "run", Kind: KindClass}},
		{"(run.py)", KindFunction, "run.py", "", Symbol{Name: "main", Package: "run", Kind: KindFunction}},
	})
}

// Which files pyright reads is computed; the number that it says it has found is compared with it.
func TestPythonScope(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, config, outside string }{
		{"no configuration", "-- requirements.txt --\n", ""},
		{"defaults", "-- pyproject.toml --\n[project]\nexclude = ['app']\n", ""},
		{"json", "-- pyrightconfig.json --\n{ // comment\n\"exclude\": [\"app/**/d?ep\", /* \" */ \"tests\",],}\n", "app/sub/deep/a.py tests/t.py"},
		{"json before toml", "-- pyrightconfig.json --\n{}\n-- pyproject.toml --\n[tool.pyright]\nexclude = ['app']\n", ""},
		{"toml", "-- pyproject.toml --\n[tool.pyright]\ninclude = [\n  'app', # ]\n]\nexclude=[\"**/sub\"]\n[tool.x]\ninclude = ['y']\n",
			"app/sub/b.py app/sub/deep/a.py run.py tests/t.py"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, test.config+`
-- app/__init__.py --
-- app/core.py --
def target(): ...
-- app/sub/b.py --
from app.core import target
-- app/sub/deep/a.py --
from app.core import target
-- tests/t.py --
from app.core import target
-- run.py --
from app.core import target
-- venv/pyvenv.cfg --
-- venv/lib/x.py --
from app.core import target
-- __pycache__/y.py --
`)
			p := open(t, dir, pyright(t))
			v := view(t, p)
			if c := v.Completeness(); c.State != Complete {
				t.Errorf("before a question: %s %s", c.State, c.Reason)
			}
			why, outside := p.workspace.Servers()[0].Outside(p.workspace.Main), []string{}
			for _, path := range current(p).Host.Sources() {
				if why(path) != "" {
					outside = append(outside, p.workspace.Main.Relative(path))
				}
			}
			if got := strings.Join(outside, " "); got != test.outside {
				t.Errorf("outside: %s, want %s", got, test.outside)
			}
			refs, err := v.References(t.Context(), At("app/core.py", 1, 5), false)
			if want := 4 - len(strings.Fields(test.outside)); err != nil || len(refs) != want {
				t.Errorf("%d references %v, want %d", len(refs), err, want)
			}
			if c := v.Completeness(); (c.State == Partial) != (test.outside != "") {
				t.Errorf("after it: %s %s", c.State, c.Reason)
			}
		})
	}
}

// TestPythonFreshness changes the disk behind the server's back and asks at once.
func TestPythonFreshness(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- setup.cfg --\n-- app/__init__.py --\n-- app/core.py --\ndef target(): ...\n-- app/a.py --\nfrom .core import target\ntarget()\n")
	p := open(t, dir, pyright(t))
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	use := "from app.core import target\ntarget()\n"
	steps := []struct {
		name string
		do   func() error
		want int
	}{
		{"nothing", func() error { return nil }, 2},
		{"a file more", func() error { put(t, in("app/b.py"), use); return nil }, 4},
		{"a use more in it", func() error { put(t, in("app/b.py"), use+"target()\n"); return nil }, 5},
		{"a package more", func() error { put(t, in("app/c/__init__.py"), use); return nil }, 7},
		{"renamed", func() error { return os.Rename(in("app/b.py"), in("app/d.py")) }, 7},
		{"left out by a new configuration", func() error { put(t, in("pyrightconfig.json"), `{"exclude": ["app/c"]}`); return nil }, 5},
		{"left out by a changed one", func() error { put(t, in("pyrightconfig.json"), `{"exclude": ["app/d.py"]}`); return nil }, 4},
		{"the configuration gone", func() error { return os.Remove(in("pyrightconfig.json")) }, 7},
		{"the package gone", func() error { return os.RemoveAll(in("app/c")) }, 5},
		{"the declaration below", func() error { put(t, in("app/core.py"), "\n\ndef target(): ...\n"); return nil }, 5},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		got, c := usesOf(t, p, "core.target")
		if got != step.want || c.State == Indexing || c.State == Unknown {
			t.Errorf("%s: %d uses, want %d; %s %s", step.name, got, step.want, c.State, c.Reason)
		}
	}
}

// Asked from the first moment on, no answer claims to be complete that is not.
func TestPythonColdStart(t *testing.T) {
	t.Parallel()
	const modules = 300
	dir := t.TempDir()
	put(t, filepath.Join(dir, "app", "__init__.py"), "")
	put(t, filepath.Join(dir, "app", "core.py"), "def target(n): ...\n")
	put(t, filepath.Join(dir, "pyproject.toml"), "")
	for i := range modules {
		name := filepath.Join(dir, "app", fmt.Sprintf("part%02d", i%20), fmt.Sprintf("module%03d.py", i))
		put(t, name, fmt.Sprintf("from app.core import target\n\ndef use%d(n: int):\n    return target(n)\n", i))
	}
	p := openWith(t, Options{Root: dir, Languages: []Language{pyright(t)}, Env: environment(), ReadyBudget: time.Millisecond})
	claimed := 0
	for asked, giveUp := 1, time.Now().Add(patienceOfTests); time.Now().Before(giveUp); asked++ {
		v := view(t, p)
		refs, err := v.References(t.Context(), At("app/core.py", 1, 5), false)
		var starting *workspace.StartingError
		if errors.As(err, &starting) {
			_, err = p.workspace.Servers()[0].Live(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		switch c := v.Completeness(); {
		case c.State != Complete:
		case len(refs) != 2*modules:
			t.Fatalf("question %d: %d of %d references are said to be complete", asked, len(refs), 2*modules)
		default:
			claimed++
		}
		if claimed == 3 {
			return
		}
	}
	t.Error("no answer was complete")
}

func TestPythonReportsOfUnreachableCode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- setup.py --\n-- m.py --\nimport sys\ndef target(): ...\nif sys.platform == 'win32':\n    target()\n    def hidden(): ...\n")
	p := open(t, dir, pyright(t))
	if got, c := usesOf(t, p, "target"); got != 1 || c.State != Complete {
		t.Errorf("%d uses, %s: a call for another system is a use", got, c.State)
	}
	found, err := view(t, p).Symbols(t.Context(), "hidden")
	if err != nil || slices.ContainsFunc(found, func(s Symbol) bool { return s.Name == "hidden" }) {
		t.Errorf("%v %v: pyright is said to list nothing that is declared for another system", found, err)
	}
}

// Pyright means to answer one request for references at a time and to cancel those before it. It does so only while
// they wait for the configuration; after that none is lost.
func TestPythonReferencesAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "setup.py"), "")
	for i := range 40 {
		text := fmt.Sprintf("def target%02d(): ...\n", i)
		for j := range i {
			text += fmt.Sprintf("from module%02d import target%02d\ntarget%02d()\n", j, j, j)
		}
		put(t, filepath.Join(dir, fmt.Sprintf("module%02d.py", i)), text)
	}
	p := open(t, dir, pyright(t))
	v := view(t, p)
	var asking sync.WaitGroup
	for i := range 40 {
		asking.Go(func() {
			refs, err := v.References(t.Context(), At(fmt.Sprintf("module%02d.py", i), 1, 5), false)
			if want := 2 * (39 - i); err != nil || len(refs) != want {
				t.Errorf("target%02d: %d references %v, want %d", i, len(refs), err, want)
			}
		})
	}
	asking.Wait()
}

// Pyright runs python to learn where packages are installed. Without one it knows the project all the same.
func TestPythonWithoutInterpreter(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	if err := os.Symlink(node, filepath.Join(bin, "node")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "-- run.py --\nimport json\ndef target(): return json.dumps(1)\ntarget()\n")
	p := openWith(t, Options{Root: dir, Languages: []Language{pyright(t)}, Env: environment("PATH=" + bin)})
	if got, c := usesOf(t, p, "target"); got != 1 || c.State != Complete {
		t.Errorf("%d uses, %s %s", got, c.State, c.Reason)
	}
}

// A warning that says nothing to people does not become what status shows.
func TestPyrightWarnings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- pyproject.toml --\n-- a.py --\nx = 1\n")
	p := open(t, dir, pyright(t))
	view(t, p)
	if message := p.Status()[0].Message; strings.Contains(message, "default workspace") {
		t.Errorf("status says %q", message)
	}
	for warning, trivial := range map[string]bool{
		`File or directory "<default workspace root>" does not exist.`: true,
		`Import cycles not allowed`:                                    false,
		`No source files found in <default workspace root>`:            true,
	} {
		if got := python.Language().Trivial(warning); got != trivial {
			t.Errorf("%s is trivial: %t", warning, got)
		}
	}
}
