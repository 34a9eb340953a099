package syntax

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// inParts returns a file whose declarations are parsed alone, whatever it costs, and one that is parsed whole.
func inParts(path, src string) (parted, whole *File) {
	if short := partFrom - len(src); short > 0 {
		src += "\n//" + strings.Repeat(" ", short)
	}
	parted, whole = Parse(path, []byte(src)), Parse(path, []byte(src))
	parted.parts.bytes = -1 << 40
	whole.parts.looked = true
	return parted, whole
}

// places are those of the tokens and comments of a source.
func places(src string) (all []Position) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return all
		}
		p := file.PositionFor(pos, false)
		all = append(all, Position{p.Line, p.Column})
	}
}

// sameType reports whether both say the same of a type and its methods.
func sameType(parted, whole *File, at Position, name string) bool {
	declared, ok := parted.Type(at)
	wantDeclared, wantOK := whole.Type(at)
	around, in := parted.TypeAround(at)
	wantAround, wantIn := whole.TypeAround(at)
	return reflect.DeepEqual(declared, wantDeclared) && ok == wantOK && reflect.DeepEqual(around, wantAround) && in == wantIn &&
		reflect.DeepEqual(parted.Methods(name), whole.Methods(name))
}

// others are the answers of a file about a place that are nothing by themselves.
func others(f *File, at Position) []any {
	fn, result, ok := f.ResultOf(at)
	owner, isMethod := f.Owner(at)
	embedded, embeds := f.Embeds(at)
	embedding, known := f.Embedding(at)
	start, end, hasHead := f.Head(at)
	operand, _ := f.Operand(at)
	typing, _ := f.TypeTyping(at)
	made, _ := f.ResultTyping(at, 0)
	signature, err := f.SignatureOf(at)
	return []any{fn, result, ok, owner, isMethod, embedded, embeds, embedding, known, f.HasField(at, "a"), start, end, hasHead, operand, typing, made, signature, err == nil,
		f.FailsAt(at), f.TextMethod(at), f.Within(at), f.Local(at), f.Receiver(at), f.Keyword(at)}
}

// revisions are what a file makes of all kinds of edits at a place, and the errors.
func revisions(f *File, at Position) (all []any) {
	for _, edit := range []func() (Revision, error){
		func() (Revision, error) { return f.AddParameter(at) },
		func() (Revision, error) { return f.AddResult(at, "error") },
		func() (Revision, error) { return f.Signature(at, "func(a, b int) error") },
		func() (Revision, error) { return f.Rename(at, "other") },
		func() (Revision, error) { return f.Rename(at, "1") },
		func() (Revision, error) { return f.Delete(at) },
		func() (Revision, error) { return f.Retype(at, "[]int") },
		func() (Revision, error) { return f.RemoveMember(at) },
		func() (Revision, error) { return f.AddField(at, "new int") },
		func() (Revision, error) { return f.AddMethod(at, "New() int") },
		func() (Revision, error) { return f.AddMethodTo(at, "New() int") },
		func() (Revision, error) { return f.AddMethodTo(at, "New(") },
		func() (Revision, error) { return f.ChangeReceiver(at) },
		func() (Revision, error) { return f.AddTypeParameters(at, "[T any]") },
	} {
		r, err := edit()
		all = append(all, r, err != nil)
	}
	return all
}

// Edits of a declaration that is parsed alone are those of the whole file.
func TestEditsOfParts(t *testing.T) {
	src := "package p\n\n// T is a type.\ntype T[K any] struct {\n\tA, B int\n\tfmt.Stringer\n}\n\ntype (\n\tI interface{ M(); N(int) error }\n\tE struct{}\n)\n\n" +
		"// M does.\nfunc (t *T[K]) M(a int, b ...string) (n int) {\n\tx := func() {}\n\treturn 1\n}\n\nfunc (E) N() {}\n\nvar f, g = 1, func(int) {}\n\nconst c int = 1\n\nfunc Last() {} // ends\n"
	made := 0
	for _, text := range []string{src, strings.TrimSuffix(src, "\n"), strings.ReplaceAll(src, "\n", "\r\n")} {
		parted, whole := inParts("a.go", text)
		for _, at := range places(text) {
			got, want := revisions(parted, at), revisions(whole, at)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v:\ngot  %+v\nwant %+v", at, got, want)
			}
			for _, one := range want {
				if r, ok := one.(Revision); ok && len(r.Edits) > 0 {
					made++
				}
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d edits were made", made)
	}
}

// compare asks both about each place, and returns how many of them stand in a declaration that was parsed alone. Of a source that does
// not parse, the declarations that do are known better alone.
func compare(t *testing.T, path, src string) (alone int) {
	t.Helper()
	parted, whole := inParts(path, src)
	for _, at := range places(src) {
		use, isUse := parted.Use(at)
		decl, isDecl := parted.Declares(at)
		outer, inOuter := parted.Outer(at)
		method, isMethod := parted.InterfaceOf(at)
		wantUse, wantIsUse := whole.Use(at)
		wantDecl, wantIsDecl := whole.Declares(at)
		wantOuter, wantInOuter := whole.Outer(at)
		wantMethod, wantIsMethod := whole.InterfaceOf(at)
		same := use == wantUse && isUse == wantIsUse && decl == wantDecl && isDecl == wantIsDecl && outer == wantOuter && inOuter == wantInOuter &&
			method == wantMethod && isMethod == wantIsMethod && reflect.DeepEqual(others(parted, at), others(whole, at))
		if isDecl && decl.Sort == SortType {
			same = same && sameType(parted, whole, at, decl.Name)
		}
		if !same && whole.Broken() == nil {
			t.Errorf("%s:%d:%d:\ngot  %+v %v %+v %v\nwant %+v %v %+v %v", path, at.Line, at.Column, use, decl, outer, inOuter, wantUse, wantDecl, wantOuter, wantInOuter)
			return alone
		}
		if _, ok := parted.partAround(at); ok {
			alone++
		}
	}
	return alone
}

// A declaration that is parsed alone answers as the whole file does, for each token and comment of the standard library's parser,
// HTTP server, garbage collector and types.
func TestPartsAnswerLikeTheWhole(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	alone, all := 0, 0
	for _, pattern := range []string{"go/parser/[p-z]*.go", "net/http/server.go", "runtime/mgc.go", "reflect/type.go"} {
		paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			alone += compare(t, path, string(src))
			all += len(places(string(src)))
		}
	}
	if alone < all*9/10 {
		t.Errorf("only %d of %d places were answered by a declaration alone", alone, all)
	}
}

// Sources that no formatter has seen are answered the same, by their parts or whole.
func TestPartsOfOddSources(t *testing.T) {
	for name, src := range map[string]string{
		"a raw string with declarations": "package a\n\nvar s = `\nfunc f() {\n`\n\nfunc g() { f() }\n",
		"a comment with declarations":    "package a\n\n/*\nfunc f() {\n*/\nfunc g() { f() }\n",
		"a documented function":          "package a\n\n// F does.\nfunc F() { g() }\n\n/* G\ndoes. */\nfunc G() {}\n//go:noinline\nfunc H() {}\n",
		"several in a line":              "package a; import \"fmt\"; var x = 1; func f() { fmt.Println(x) }\nfunc g() { f() }\n",
		"methods in one line":            "package a\n\ntype T int; type U int\n\nfunc (T) M() {}; func (U) N() {}\n",
		"a value in the next line":       "package a\n\nvar f =\nfunc() { g() }\n\nfunc g() { f() }\n",
		"a type in the next line":        "package a\n\nvar c chan\nfunc() int\n\nfunc g() { <-c }\n",
		"indented":                       "package a\n\n  func f() {}\n\tfunc g() { f() }\n",
		"runes and quotes":               "package a\n\nvar r = []rune{'\\'', '\"', '`', '{', '\\\\'}\n\nfunc g() { _ = \"\\\"{\" }\n",
		"carriage returns":               "package a\r\n\r\nfunc f() {\r\n}\r\n\r\nfunc g() { f() }\r\n",
		"groups":                         "package a\n\nconst (\n\tA = iota\n\tB\n)\n\ntype (\n\tI interface{ M() }\n\tT struct{ I }\n)\n\nfunc (T) M() { _ = []int{A: B} }\n",
		"a bracket too many":             "package a\n\nfunc f() { g() } }\n\nfunc g() { f() }\n",
		"a bracket too few":              "package a\n\nfunc f() { g()\n\nfunc g() { f() }\n",
		"broken inside":                  "package a\n\nfunc f() { x := }\n\nfunc g() { f() }\n",
		"a string without end":           "package a\n\nfunc f() { _ = \"}\n}\n\nfunc g() { f() }\n",
		"nothing":                        "",
		"a line directive":               "package a\n\n//line x.go:100\nfunc f() {}\n\nfunc g() { f() }\n",
	} {
		t.Run(name, func(t *testing.T) { compare(t, "a.go", src) })
	}
}

// So much that the whole file costs less is not parsed in parts.
func TestPartsAreBounded(t *testing.T) {
	var src strings.Builder
	src.WriteString("package a\n\n")
	for src.Len() < 2*partFrom {
		src.WriteString("func _() { f() }\n")
	}
	f := Parse("a.go", []byte(src.String()))
	alone := 0
	for line := 3; line < f.Lines(); line++ {
		if use, ok := f.Use(Position{line, 12}); !ok || use.Kind != Call {
			t.Fatalf("line %d: %+v", line, use)
		}
		if _, ok := f.partAround(Position{line, 12}); ok {
			alone++
		}
	}
	if alone < f.Lines()/3 || alone > f.Lines()*2/3 {
		t.Errorf("%d of %d declarations were parsed alone", alone, f.Lines())
	}
}

// FuzzParts compares both on sources that the fuzzer makes.
func FuzzParts(f *testing.F) {
	f.Add("package a\n\nfunc f() { g(`\nfunc x`) }\n\n// G.\nfunc g() {}\n")
	f.Fuzz(func(t *testing.T, src string) { compare(t, "a.go", src) })
}

// BenchmarkUse asks about one place of a large file that a program has written.
func BenchmarkUse(b *testing.B) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(root)), "src/cmd/compile/internal/ssa/rewriteAMD64.go")
	src, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	line := strings.Count(string(src[:strings.LastIndex(string(src), "\nfunc ")]), "\n") + 2
	for name, whole := range map[string]bool{"part": false, "whole": true} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				f := Parse(path, src)
				f.parts.looked = whole
				if _, ok := f.Use(Position{line, 6}); !ok {
					b.Fatal("nothing stands there")
				}
			}
		})
	}
}

// The lists of a large file are those of its declarations parsed one by one, or of the whole file if one does not parse alone.
func TestListsOfParts(t *testing.T) {
	src := "package p\n\nimport \"fmt\"\n\n// T is a type.\ntype T struct {\n\tA int\n\tB interface{ M() }\n}\n\nvar (\n\tx, y = 1, 2\n)\n\n" +
		"func (t T) F() {\n\ttype local struct{ c int }\n\tfmt.Println(t)\n}; const c = 1\n\ntype U struct{ T }\n\nconst (\n\tD = iota // first\n\tE\n)\n"
	for name, text := range map[string]string{"parsed alone": src, "broken": src + "func H() { return return }\n", "continued": src + "\nvar h =\nfunc() {}\n"} {
		parted, whole := inParts("a.go", text)
		lists := func(f *File) []any {
			return []any{f.Declarations(), f.Constants(), f.Methods("T"), f.LocalInterfaces("M"), f.MayEmbed("T"), f.MayEmbed("local")}
		}
		got, want := lists(parted), lists(whole)
		if !reflect.DeepEqual(got, want) || len(whole.Declarations()) < 9 || len(whole.LocalInterfaces("M")) != 1 {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
		}
	}
}

// DeclarationsNamed finds in a large file what the list of all declarations has under a name, and does not make that list.
func TestDeclarationsNamed(t *testing.T) {
	src := "package p\n\ntype T struct {\n\tA int\n\tB interface{ M() }\n}\n\nvar (\n\tx, y = 1, 2\n)\n\nfunc (t T) F() {\n\ttype local struct{ A int }\n}\n\nfunc A() {}\n"
	large := src + strings.Repeat("func _() {}\n", listedWhole/10)
	for name, text := range map[string]string{"small": src, "large": large, "large and broken": large + "func H() { return return }\n"} {
		all := Parse("a.go", []byte(text)).Declarations()
		for _, of := range []string{"A", "F", "M", "T", "local", "y", "none", "_"} {
			other := func(d Decl) bool { return d.Name != of && !strings.HasSuffix(d.Name, "."+of) }
			want := slices.DeleteFunc(slices.Clone(all), other)
			f := Parse("a.go", []byte(text))
			got := slices.DeleteFunc(slices.Clone(f.DeclarationsNamed(of)), other)
			if !slices.Equal(got, want) || of == "A" && len(want) != 3 {
				t.Errorf("%s, %s:\ngot  %+v\nwant %+v", name, of, got, want)
			}
			if listed := f.declared.Load() != nil; listed != (name == "small") {
				t.Errorf("%s: all are listed: %v", name, listed)
			}
		}
	}
}

// Where declarations begin, the comment right above is part of them.
func TestDeclarationStarts(t *testing.T) {
	src := "// Package p.\npackage p\n\n// apart\n\n// one\n// doc\nvar a = 1\nvar b = 2 // behind\nvar c = 3 /* behind\nand on */\nvar d = 4\n\n/* a block\nfunc\n*/\n// and a line\nfunc f() {\n\t// inside\n}\n\t// indented\nfunc g() {}\n"
	var got []string
	starts := declarationStarts(src)
	for i, start := range starts {
		end := len(src)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		got = append(got, strings.TrimSpace(src[start:end]))
	}
	want := []string{"// one\n// doc\nvar a = 1", "var b = 2 // behind", "var c = 3 /* behind\nand on */", "var d = 4", "/* a block\nfunc\n*/\n// and a line\nfunc f() {\n\t// inside\n}", "// indented\nfunc g() {}"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// However much of a file of megabytes was asked about, it is not parsed whole.
func TestPartsOfAHugeFile(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\n"+strings.Repeat("func _() { f() }\n", 2*keptParts/16)))
	for line := 3; line < f.Lines(); line++ {
		at := Position{line, 12}
		if use, ok := f.Use(at); !ok || use.Kind != Call {
			t.Fatalf("line %d: %+v", line, use)
		}
		if _, ok := f.partAround(at); !ok {
			t.Fatalf("line %d has the whole file parsed", line)
		}
	}
	if f.parts.bytes > keptParts || len(f.parts.made) > keptParts/16 {
		t.Errorf("%d bytes in %d parts are known", f.parts.bytes, len(f.parts.made))
	}
}
