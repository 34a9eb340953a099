package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const goSource = `package p

type Shape interface{ Area() int }

type Color int

const Red Color = 1

type Plain int

type Box[T any] struct {
	W, H int
	_    T
}

func (b *Box[T]) Area() int { return b.W }

func New() *Box[int] { return nil }

func init() {}
`

func TestSymbolsOf(t *testing.T) {
	for _, test := range []struct {
		language, source string
		want             []string
	}{
		{"go", goSource, []string{"1 Shape", "3 Color", "2 Box.W", "2 Box.H", "0 Box.Area", "0 New"}},
		{"go", "package", nil},
		{"python", "import os\n\ndef one(a):\n    def inner():\n        pass\n\nasync def two():\n    pass\n", []string{"0 one", "0 two"}},
		{"typescript", "export function one<T>(a: T) {}\nasync function two() {}\nconst x = function three() {}\n", []string{"0 one", "0 two"}},
		{"c", "#define F(x) x\nint one(int a)\n{\n    if (a)\n    {\n    }\n}\n\nstatic char *\ntwo(void)\n{\n}\n\nint declared(void);\n/* x\nint gone(void)\n{\n}\n*/\nstatic int three(int a) { return a; }\n", []string{"0 one", "0 two", "0 three"}},
		{"cobol", "x", nil},
	} {
		var got []string
		lines := strings.Split(test.source, "\n")
		for _, s := range symbolsOf(test.language, "f", []byte(test.source)) {
			got = append(got, fmt.Sprint(int(s.kind), " ", s.name))
			last := s.name[strings.LastIndexByte(s.name, '.')+1:]
			if !strings.HasPrefix(lines[s.line-1][s.column-1:], last) {
				t.Errorf("%s is said to be at %d:%d", s.name, s.line, s.column)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.language, got, test.want)
		}
	}
}

func TestDraw(t *testing.T) {
	dir := t.TempDir()
	p := &project{size: size{language: "go", counts: counts{names: 50}}, dir: dir}
	for i := range 20 {
		text := fmt.Sprintf("package p\n\nfunc A%d() {}\n\nfunc B%d() {}\n\nfunc twice() {}\n\nfunc twice() {}\n\nfunc both() {}\n\nfunc (t T) both() {}\n\ntype I%d interface{}\n", i, i, i)
		path := fmt.Sprintf("f%02d.go", i)
		p.sources = append(p.sources, path)
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.draw()
	if err != nil || fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("the same seed draws %v and then %v, %v", first, again, err)
	}
	names := map[string]bool{}
	for _, s := range first[function] {
		names[s.asked()] = true
		if s.name == "twice" || s.name == "both" {
			t.Errorf("%s does not name one function", s.asked())
		}
	}
	if len(names) != 50 || len(first[contract]) != 20 || len(first[enum]) != 0 {
		t.Errorf("%d functions, %d interfaces, %d enums", len(names), len(first[contract]), len(first[enum]))
	}
	if len(p.questions()) != 0 {
		t.Error("scout is asked more than was wanted")
	}
	p.counts.scout = 25
	p.sample = first
	asked := map[string]int{}
	for _, q := range p.questions() {
		asked[q.Change]++
	}
	if want := map[string]int{"": 3, "add_parameter": 4, "add_method": 4, "rename": 4, "return_error": 4, "add_implementation": 3, "change_behavior": 3}; fmt.Sprint(asked) != fmt.Sprint(want) {
		t.Errorf("asked %v, want %v", asked, want)
	}
	p.sources = nil
	if _, err := p.draw(); err == nil {
		t.Error("a project without functions is asked about")
	}
}

func TestReadPackages(t *testing.T) {
	p := &project{dir: "/m"}
	of := func(path string, imports ...string) goPackage {
		return goPackage{ImportPath: "m/" + path, Dir: "/m/" + path, GoFiles: []string{path + ".go"}, Imports: imports}
	}
	packages := []goPackage{of("c", "m/b", "fmt"), of("a"), of("b", "m/a"), of("d", "m/b"), of("e"), of("c.test", "m/c")}
	if err := p.readPackages(packages); err != nil {
		t.Fatal(err)
	}
	if p.hub != "a/a.go" || p.leaf != "d/d.go" || len(p.sources) != 5 {
		t.Errorf("the hub is %s, the leaf %s, of %q", p.hub, p.leaf, p.sources)
	}
	if err := p.readPackages(nil); err == nil {
		t.Error("a module without packages is measured")
	}
}

func TestNewEdit(t *testing.T) {
	for _, language := range []string{"go", "typescript", "python", "c"} {
		p := &project{size: size{language: language}, dir: t.TempDir()}
		const before = "first\nsecond\n"
		if err := os.WriteFile(filepath.Join(p.dir, "f"), []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := p.newEdit("f", 3)
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Split(e.text, "\n")[e.added.line-1]
		if e.first != before || !strings.HasPrefix(e.text, before) || !strings.HasPrefix(line[e.added.column-1:], "TidepoolBench3(") {
			t.Errorf("%s: %q at %d:%d", language, e.text, e.added.line, e.added.column)
		}
		if calls := strings.Count(e.text, " TidepoolBench3()") - strings.Count(line, " TidepoolBench3()"); calls != 3 || e.calls != 3 {
			t.Errorf("%s: %d calls in %q", language, calls, e.text)
		}
	}
}
