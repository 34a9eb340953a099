package gosyntax

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Before an identifier, /*kind@enclosing>passed*/ says what is expected of it.
var mark = regexp.MustCompile(`/\*([a-z ]+)(?:@([\w.]+))?(?:>([\w.]+))?\*/ ?`)

func TestUse(t *testing.T) {
	src, err := os.ReadFile("testdata/uses.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := Parse("uses.go", src)
	if f.Broken != nil {
		t.Fatal(f.Broken)
	}
	checked := 0
	for n := 1; n <= f.Lines(); n++ {
		line := f.Line(n)
		for _, m := range mark.FindAllStringSubmatchIndex(line, -1) {
			at := Position{n, m[1] + 1}
			got, ok := f.Use(at)
			want := Use{Kind: Kind(line[m[2]:m[3]]), Whole: got.Whole}
			if m[4] >= 0 {
				want.Enclosing = line[m[4]:m[5]]
			} else {
				want.Enclosing = got.Enclosing
			}
			if m[6] >= 0 {
				want.Passed = line[m[6]:m[7]]
			}
			if !ok || got != want {
				t.Errorf("%d:%d %s:\n got %+v\nwant %+v", n, at.Column, strings.TrimSpace(line), got, want)
			}
			checked++
		}
	}
	if checked < 80 {
		t.Errorf("only %d uses checked", checked)
	}
}

func TestUseWhereNoneIs(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\n// F calls\nfunc F() { println(\"F()\", 1) }\n"))
	for _, at := range []Position{{}, {0, 1}, {1, 0}, {3, 4}, {4, 22}, {4, 27}, {4, 999}, {99, 1}, {-1, -1}, {2, 1}} {
		if use, ok := f.Use(at); ok {
			t.Errorf("%v is %+v, want nothing", at, use)
		}
	}
}

func TestUseCountsBytes(t *testing.T) {
	f := Parse("a.go", []byte("package a\nvar _ = \"ü\" + F()\r\n"))
	if use, ok := f.Use(Position{2, 16}); !ok || use.Kind != Call {
		t.Errorf("got %+v, %v", use, ok)
	}
	if got, want := f.Line(2), `var _ = "ü" + F()`; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
}

func TestBrokenFileIsReadAsFarAsItGoes(t *testing.T) {
	f := Parse("a.go", []byte("package a\nfunc A() { F() }\nfunc B( {\n"))
	if f.Broken == nil {
		t.Fatal("no syntax error")
	}
	if use, ok := f.Use(Position{2, 12}); !ok || use.Kind != Call || use.Enclosing != "A" {
		t.Errorf("got %+v, %v", use, ok)
	}
	if empty := Parse("b.go", nil); empty.Broken == nil || empty.Package != "" {
		t.Errorf("an empty file: %+v", empty)
	}
}

func FuzzParse(f *testing.F) {
	src, err := os.ReadFile("testdata/uses.go.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(src), 40, 3)
	f.Add("package a\nconst (\n A = iota\n B\n)\ntype T struct{}", 6, 6)
	f.Add("", 1, 1)
	f.Fuzz(func(t *testing.T, src string, line, column int) {
		file := Parse("f.go", []byte(src))
		at := Position{line, column}
		file.Use(at)
		file.Type(at)
		file.ResultOf(at)
		file.Constants()
		file.Methods("T")
		file.Line(line)
	})
}
