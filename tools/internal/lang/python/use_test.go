package python

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/query"
)

// The name in question is x, at its first place behind a ^, which is taken out.
func TestPythonUse(t *testing.T) {
	tests := []struct{ src, kind, passed string }{
		{"^x(1)", "call", ""},
		{"y = a.^x (1)", "call", ""},
		{"await a.b.^x()", "await", ""},
		{"await f(^x())", "call", ""},
		{"y = ^x[int](1)", "call", ""},
		{"f(a, ^x)", "value", "f"},
		{"a.f(k=[^x])", "value", "a.f"},
		{"y = ^x", "value", ""},
		{"return a.^x", "value", ""},
		{"print(\n  ^x,\n)", "value", "print"},
		{"^x.y()", "qualifier", ""},
		{"f(^x=1)", "argument", ""},
		{"^x = 1", "write", ""},
		{"a.^x += 1", "write", ""},
		{"a.^x, b = 1, 2", "write", ""},
		{"^x == 1", "value", ""},
		{"a[^x] = 1", "value", ""},
		{"del a.^x", "write", ""},
		{"if (^x := 1): pass", "write", ""},
		{"import a.^x", "import", ""},
		{"from a import (\n  b,\n  ^x as c,\n)", "import", ""},
		{"def ^x(): ...", "declaration", ""},
		{"class ^x: ...", "declaration", ""},
		{"@^x\ndef f(): ...", "decorator", ""},
		{"@a.^x(1)\ndef f(): ...", "decorator", ""},
		{"@^x.setter\ndef f(): ...", "qualifier", ""},
		{"@f(^x)\ndef f(): ...", "value", "f"},
		{"class A(^x): ...", "base", ""},
		{"class A(b.^x[T], C): ...", "base", ""},
		{"class A(B[^x]): ...", "type", ""},
		{"class A(B, metaclass=^x): ...", "metaclass", ""},
		{"class A(B, ^x=1): ...", "argument", ""},
		{"def f(a: ^x, b=1): ...", "type", ""},
		{"def f(a: int = ^x): ...", "value", ""},
		{"def f(a=lambda b: ^x(b)): ...", "call", ""},
		{"def f(a: dict[str, ^x] = {}): ...", "type", ""},
		{"async def f(*a) -> list[^x]:\n  pass", "type", ""},
		{"a: ^x = 1", "type", ""},
		{"a: int = ^x", "value", ""},
		{"self.a: list[^x] = []", "type", ""},
		{"a: dict[\n  str, int\n] = ^x", "value", ""},
		{"a: dict[\n  str, ^x\n] = b", "type", ""},
		{"a: dict[\n  str, int\n] = f(^x)\nb = 1", "value", "f"},
		{"a = [\n  1\n]\n^x()", "call", ""},
		{"a = {1: ^x}", "value", ""},
		{"a = {^x: 1}", "key", ""},
		{"a = b[1:^x]", "value", ""},
		{"if a: ^x()", "call", ""},
		{"f(lambda: ^x)", "value", "f"},
		{"isinstance(a, (b, ^x))", "assertion", ""},
		{"raise ^x", "raise", ""},
		{"raise ^x(1) from y", "call", ""},
		{"raise y from ^x", "value", ""},
		{"try: pass\nexcept (a, ^x): pass", "case", ""},
		{"match a:\n  case ^x(b): pass", "case", ""},
		{"match a:\n  case b.^x | c: pass", "case", ""},
		{"match a:\n  case ^x.y: pass", "qualifier", ""},
		{"match a:\n  case b if ^x: pass", "value", ""},
		{"match a:\n  case b: ^x()", "call", ""},
		{"case = ^x", "value", ""},
		{"__all__ = ['^x']", "export", ""},
		{"a: '^x' = 1", "type", ""},
		{"f'{^x(1)}'", "call", ""},
		{"a = 1; ^x()", "call", ""},
		{"a = b + \\\n  ^x()", "call", ""},
		{"# ^x()", "", ""},
	}
	for _, tt := range tests {
		at := strings.IndexByte(tt.src, '^')
		f := lexer.Parse("a.py", []byte(strings.Replace(tt.src, "^", "", 1)))
		line, column := f.Position(at)
		got := useOf(f, f.At(line, column))
		if got.Kind != tt.kind || got.Passed != tt.passed {
			t.Errorf("%q: %q passed to %q, want %q %q", tt.src, got.Kind, got.Passed, tt.kind, tt.passed)
		}
		called := slices.Contains([]string{"call", "await", "decorator", "raise"}, tt.kind)
		if got.Called != called || got.Taken != (tt.kind == "value") {
			t.Errorf("%q: called %v, taken %v", tt.src, got.Called, got.Taken)
		}
	}
}

func TestPythonStatements(t *testing.T) {
	src := "@a\nclass B(\n  C): # c\n  '''d\ne'''\n  x = 1; y = [\n2]\n  if x:\n    z = \\\n      3\n  def f(self):\n    w = 4\n  u = 5\nv = 6\n"
	f := lexer.Parse("a.py", []byte(src))
	head := statementAt(f, f.At(2, 7))
	var all []string
	for s := range members(head) {
		all = append(all, s.text(s.first(), s.tokens[len(s.tokens)-1]))
	}
	want := []string{"'''d e'''", "x = 1", "y = [ 2]", "if x:", `z = \ 3`, "def f(self):", "u = 5"}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	if d := decoratorsOf(head); len(d) != 1 || !decorated(d, "a") {
		t.Errorf("decorators %v", d)
	}
}

// The orders are those that Python 3 computes.
func TestPythonOrder(t *testing.T) {
	tests := []struct{ lines, want string }{
		{"", ""},
		{"BO;CO;BC", "BCO"},
		{"AO;BAO;AB", "ABO"}, // Python refuses this class; nothing is left out
		{"KDO;LDEO;KL", "KLDEO"},
	}
	for _, tt := range tests {
		var lines [][]query.Spot
		for line := range strings.SplitSeq(tt.lines, ";") {
			var spots []query.Spot
			for _, name := range line {
				spots = append(spots, query.Spot{Path: string(name)})
			}
			lines = append(lines, spots)
		}
		got := ""
		for _, s := range merge(lines) {
			got += s.Path
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.lines, got, tt.want)
		}
	}
}

func TestPythonParameters(t *testing.T) {
	got := parameters(`f(self, /, a: dict[str, int] = {"a": 1}, *, b="x", c: (int), **rest: Any)`)
	if want := []string{"dict[str, int]", "b", "(int)", "Any"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
