package tools

import (
	"slices"
	"testing"

	"tidepool/lsp"
)

func TestParseName(t *testing.T) {
	for written, want := range map[string]name{
		"T.M":                          {plain: "T.M"},
		"ns::T::m":                     {plain: "ns.T.m"},
		"web/src/user.ts:User.rename":  {file: "web/src/user.ts", plain: "User.rename"},
		"user.ts:User#rename":          {file: "user.ts", plain: "User.rename"},
		"./src/a.cpp:ns::T::m":         {file: "src/a.cpp", plain: "ns.T.m"},
		"pages/[id].tsx:Page":          {file: "pages/[id].tsx", plain: "Page"},
		"a.go:12":                      {file: "a.go", line: 12},
		"a.go:12:F":                    {file: "a.go", line: 12, plain: "F"},
		"bin/tool:main":                {file: "bin/tool", plain: "main"},
		"std::vector":                  {plain: "std.vector"},
		"example.com/m.T.M":            {plain: "example.com/m.T.M"},
		"::T":                          {plain: "T"},
		"/abs/a.hs:(>>=)":              {file: "/abs/a.hs", plain: ">>="},
		"a:b":                          {plain: "a:b"},
		"src/main.rs:<T as Show>::fmt": {file: "src/main.rs", plain: "fmt"},
	} {
		want.written = written
		if got := parseName(written); got != want {
			t.Errorf("%q: got %+v, want %+v", written, got, want)
		}
	}
}

func TestMeans(t *testing.T) {
	s := lsp.Symbol{Name: "M", Receiver: "Outer.T", Package: "example.com/m/pkg"}
	for name, want := range map[string]bool{
		"M": true, "T.M": true, "Outer.T.M": true, "pkg.Outer.T.M": true, "m/pkg.Outer.T.M": true, "example.com/m/pkg.Outer.T.M": true,
		"kg.Outer.T.M": false, "pkg.M": false, "N": false, "": false, "uter.T.M": false,
	} {
		if got := means(name, s); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestQualify(t *testing.T) {
	q := new(memory).inquiry(nil, "/p", func(string) language { return language{naming: naming{qualifiers: pathQualifiers}} })
	symbol := func(pkg, receiver, name, path string, line int) lsp.Symbol {
		return lsp.Symbol{Name: name, Receiver: receiver, Package: pkg, Language: "go", Location: lsp.At(path, line, 1)}
	}
	tests := []struct {
		of     lsp.Symbol
		others []lsp.Symbol
		want   string
	}{
		{symbol("m/a", "T", "F", "/p/a/x.go", 1), nil, "F"},
		{symbol("m/a", "T", "F", "/p/a/x.go", 1), []lsp.Symbol{symbol("m/a", "", "F", "/p/a/x.go", 5)}, "T.F"},
		{symbol("m/a", "T", "F", "/p/a/x.go", 1), []lsp.Symbol{symbol("m/b", "T", "F", "/p/b/x.go", 1)}, "a.T.F"},
		{symbol("m/a", "T", "F", "/p/a/x.go", 1), []lsp.Symbol{symbol("n/a", "T", "F", "/p/n/x.go", 1)}, "m/a.T.F"},
		{symbol("m/a", "", "F", "/p/a/x.go", 1), []lsp.Symbol{symbol("m/a", "", "F", "/p/a/y.go", 1)}, "a/x.go:F"},
		{symbol("m/a", "", "F", "/p/a/x.go", 1), []lsp.Symbol{symbol("m/a", "", "F", "/p/a/x.go", 9)}, "a/x.go:1:F"},
	}
	for _, tt := range tests {
		if got := q.qualify(tt.of, append(tt.others, tt.of), false); got != tt.want {
			t.Errorf("%+v among %v is %q, want %q", tt.of, tt.others, got, tt.want)
		}
	}
}

func TestDottedQualifiers(t *testing.T) {
	if got := dottedQualifiers("pkg.sub.mod"); !slices.Equal(got, []string{"mod", "sub.mod", "pkg.sub.mod"}) {
		t.Errorf("got %v", got)
	}
}
