package query

import (
	"slices"
	"testing"

	"tidepool/lsp"
)

func TestParseName(t *testing.T) {
	for written, want := range map[string]Name{
		"T.M":                          {Plain: "T.M"},
		"ns::T::m":                     {Plain: "ns.T.m"},
		"web/src/user.ts:User.rename":  {File: "web/src/user.ts", Plain: "User.rename"},
		"user.ts:User#rename":          {File: "user.ts", Plain: "User.rename"},
		"./src/a.cpp:ns::T::m":         {File: "src/a.cpp", Plain: "ns.T.m"},
		"pages/[id].tsx:Page":          {File: "pages/[id].tsx", Plain: "Page"},
		"a.go:12":                      {File: "a.go", Line: 12},
		"a.go:12:F":                    {File: "a.go", Line: 12, Plain: "F"},
		"bin/tool:main":                {File: "bin/tool", Plain: "main"},
		"std::vector":                  {Plain: "std.vector"},
		"example.com/m.T.M":            {Plain: "example.com/m.T.M"},
		"::T":                          {Plain: "T"},
		"/abs/a.hs:(>>=)":              {File: "/abs/a.hs", Plain: ">>="},
		"a:b":                          {Plain: "a:b"},
		"src/main.rs:<T as Show>::fmt": {File: "src/main.rs", Plain: "fmt"},
	} {
		want.Written = written
		if got := ParseName(written); got != want {
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
	q := new(Memory).Query(nil, "/p", func(string) Language { return Language{Naming: Naming{Qualifiers: PathQualifiers}} })
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
	if got := DottedQualifiers("pkg.sub.mod"); !slices.Equal(got, []string{"mod", "sub.mod", "pkg.sub.mod"}) {
		t.Errorf("got %v", got)
	}
}
