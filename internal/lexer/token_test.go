package lexer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// marked returns the token that stands behind the first § of src, which is taken out.
func marked(t *testing.T, path, src string) Token {
	t.Helper()
	before, after, ok := strings.Cut(src, "§")
	if !ok {
		t.Fatalf("no mark in %q", src)
	}
	f := Parse(path, []byte(before+after))
	found := f.At(f.Position(len(before)))
	if found.Kind() == 0 {
		t.Fatalf("no token at the mark in %q", src)
	}
	return found
}

func TestMentions(t *testing.T) {
	f := Parse("a.py", []byte("run = 1  # run, run\nrunner.run('run')\nr, un = 2\n"))
	var got []string
	for found := range f.Mentions("run") {
		line, column := found.Position()
		got = append(got, fmt.Sprintf("%d:%d %s", line, column, found.Text()))
	}
	want := []string{"1:1 run", "1:10 # run, run", "2:1 runner", "2:8 run", "2:12 'run'"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, nowhere := range []string{"", "r, un", "Run"} {
		for found := range f.Mentions(nowhere) {
			t.Errorf("%q is in %q", nowhere, found.Text())
		}
	}
}

func TestAt(t *testing.T) {
	f := Parse("a.ts", []byte("let abc = 1;\n  x.y()\n"))
	for at, want := range map[[2]int]string{
		{1, 5}: "abc", {1, 7}: "abc", {1, 8}: "abc", {1, 12}: ";", {2, 3}: "x", {2, 4}: ".", {2, 5}: "y", {2, 1}: "", {9, 9}: "", {0, 0}: "let",
	} {
		if got := f.At(at[0], at[1]).Text(); got != want {
			t.Errorf("at %v stands %q, want %q", at, got, want)
		}
	}
	if line, column := f.At(2, 5).Position(); line != 2 || column != 5 {
		t.Errorf("y stands at %d:%d", line, column)
	}
}

func TestNeighbours(t *testing.T) {
	x := marked(t, "a.ts", "f(/* c */ §x /* d */, [y])")
	if x.Prev().Text() != "(" || x.Next().Text() != "," || x.Outer().Text() != "(" {
		t.Errorf("%q %q %q stand around x", x.Prev().Text(), x.Next().Text(), x.Outer().Text())
	}
	if end := x.Outer().Match(); end.Text() != ")" || end.Match() != x.Outer() {
		t.Errorf("( ends at %q", end.Text())
	}
	var none Token
	if none.Next() != none || none.Prev() != none || none.Match() != none || none.Outer() != none || none.Text() != "" || none.Line() != 0 {
		t.Error("something stands beside nothing")
	}
	if first := marked(t, "a.ts", "§x"); first.Prev() != none || first.Next() != none || first.Outer() != none {
		t.Error("something stands beside the only token")
	}
}

func TestUnbalanced(t *testing.T) {
	x := marked(t, "a.c", "f) { ( [ §x } y")
	if x.Outer().Text() != "[" || x.Outer().Match() != (Token{}) {
		t.Errorf("x stands in %q", x.Outer().Text())
	}
	if y := x.Next().Next(); y.Outer() != (Token{}) || y.Prev().Match().Text() != "{" {
		t.Errorf("y stands in %q", y.Outer().Text())
	}
}

func TestAngles(t *testing.T) {
	for src, want := range map[string]string{
		"f§<T>(x)": "(", "f§<A<B>, C[]>(x)": "(", "f§<(a: T) => U>(x)": "(", "a §< b; c > d": "", "a §< b && c > d": "",
		"g(a §< b, c)": "", "f§<T extends {a: 1}>()": "(",
	} {
		if got := marked(t, "a.ts", src).Angles().Next().Text(); got != want {
			t.Errorf("behind %q stands %q, want %q", src, got, want)
		}
	}
}

func TestStatement(t *testing.T) {
	tests := []struct{ path, src, want string }{
		{"a.ts", "import { a, §b } from './x'", "import"},
		{"a.ts", "import type { §b } from './x'", "import"},
		{"a.ts", "import d, { §b } from './x'", "import"},
		{"a.ts", "f()\nexport { §b }", "export"},
		{"a.ts", "const a = 1\nreturn g(\n  §b)", "return"},
		{"a.ts", "a\n  .then(§b)", "a"},
		{"a.ts", "if (x) { §b() }", "b"},
		{"a.ts", "class A {}\nclass B extends §C {}", "class"},
		{"a.ts", "type A = B<C>\nexport type §D = E", "export"},
		{"a.ts", "const a = [1] as const\ntype §B = C", "type"},
		{"a.py", "from a import (\n  §b)\n", "from"},
		{"a.py", "x = 1\n@§b\ndef f(): pass", "@"},
		{"a.py", "x = 1 + \\\n  §b", "x"},
		{"a.py", "x = {1: 2, 3: §b}", "x"},
		{"a.hs", "data T = A { x, §b :: Int }", "data"},
		{"a.py", "class A(B):\n  x = §b", "x"},
		{"a.cpp", "int x;\nusing §b = int;", "using"},
		{"a.cpp", "#define X 1\nint §b;", "int"},
		{"a.cpp", "#if X\n#define §b 1\n", "#"},
		{"a.cpp", "void f() { int x; }\nstruct S : §b {};", "struct"},
		{"a.rs", "use a::{c, §b};", "use"},
		{"a.rs", "fn f() {}\nimpl §b for C {}", "impl"},
		{"a.hs", "f x = g\n  where g = §b\n", "f"},
		{"a.hs", "f = 1\ndata T = §B", "data"},
	}
	for _, tt := range tests {
		if got := marked(t, tt.path, tt.src).Statement().Text(); got != tt.want {
			t.Errorf("%s %q starts at %q, want %q", tt.path, tt.src, got, tt.want)
		}
	}
}

func TestComment(t *testing.T) {
	for src, want := range map[string]string{
		"/** doc */\n§x": "/** doc */", "/** doc */\n\n§x": "", "// doc\n§x": "// doc", "§x": "",
	} {
		if got := marked(t, "a.ts", src).Comment().Text(); got != want {
			t.Errorf("%q is commented %q, want %q", src, got, want)
		}
	}
}

// Each branch of the preprocessor begins with the brackets that were open before the first.
func TestBranches(t *testing.T) {
	f := Parse("a.c", []byte(`void f(int a) {
#if A
	if (a) {
		one();
#elif B
	while (a) {
		two();
#else
	{
		three();
#endif
		four();
	}
#ifdef C
	{ five();
#endif
#ifdef C
	}
#endif
#if D
	six(); }
#else
	seven(); }
#endif
void g() { eight(); }
`))
	want := map[string]string{
		"one": "{3 {1", "two": "{6 {1", "three": "{9 {1", "four": "{9 {1", "five": "{15 {1", "six": "{1", "seven": "{1", "eight": "{25", "g": "",
	}
	for name, around := range want {
		var at Token
		for at = range f.Mentions(name) {
			if at.Is(name) {
				break
			}
		}
		var all []string
		for outer := at.Outer(); outer.is(); outer = outer.Outer() {
			all = append(all, fmt.Sprint(outer.Text(), outer.Line()))
		}
		if got := strings.Join(all, " "); got != around {
			t.Errorf("%s stands in %q, want %q", name, got, around)
		}
	}
	for line, closed := range map[int]int{3: 13, 6: 13, 9: 13, 15: 18, 1: 23} {
		for _, open := range f.Tokens() {
			if open.Is("{") && open.Line() == line && open.Match().Line() != closed {
				t.Errorf("what line %d opens is closed in line %d, want %d", line, open.Match().Line(), closed)
			}
		}
	}
	if !f.Balanced() {
		t.Error("the brackets have no partners")
	}
}

func TestBalanced(t *testing.T) {
	for text, want := range map[string]bool{
		"":                               true,
		"f(a[1]) { return {1}; }":        true,
		"f(\"(\", ')') /* { */":          true,
		"f() {":                          false,
		"f() }":                          false,
		"f(]) {}":                        false,
		"f( {}":                          false,
		"#if A\nf() {\n#else\ng() {\n}":  false,
		"#if A\nf() {}\n#else\ng() {}\n": false,

		"#if A\nf() {}\n#else\ng() {}\n#endif":                                                                true,
		"#if A\nf() {\n#else\ng() {\n#endif\n}":                                                               true,
		"#if A\nf() {\n#elif B\ng() {\n#else\nh() {\n#endif\n}":                                               true,
		"f() {\n# if A\nif (a) {\n#  if B\nif (\n#  else\nwhile (\n#  endif\nb) {\n# else\n{ {\n# endif\n}}}": true,
		"f() {\n#if A\n} else {\n#else\n} else if {\n#endif\n}":                                               true,
		"#if A\nf() {\n#endif\n#if A\n}\n#endif":                                                              true,
		"#if A\nf() {\n#else\ng() {}\n#endif\n}":                                                              false,
		"#if A\nf() {\n#else\ng() (\n#endif\n}":                                                               false,
		"{\n#if A\n} {\n#else\n#endif\n}":                                                                     false,
		"#else":                                                                                               false,
		"#endif":                                                                                              false,
	} {
		if got := Parse("a.c", []byte(text)).Balanced(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
