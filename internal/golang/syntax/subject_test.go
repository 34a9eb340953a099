package syntax

import (
	"maps"
	"testing"
)

func TestEmbeds(t *testing.T) {
	tests := []struct{ src, want string }{
		{"type S struct { @T }", "T"},
		{"type S struct { *p.@T `tag` }", "T"},
		{"type S struct { *@p.T }", ""},
		{"type S struct { p.@G[int] }", "G"},
		{"type I interface { @J; M() }", "J"},
		{"type C interface { ~@int | string }", ""},
		{"type S struct { a @T }", ""},
		{"type S struct { @a T }", ""},
		{"func f(@T) {}", ""},
	}
	for _, tt := range tests {
		src, at := marked(t, "package p\n\n"+tt.src)
		if got, ok := Parse("p.go", []byte(src)).Embeds(at); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, %v", tt.src, got, ok)
		}
	}
}

func TestImports(t *testing.T) {
	f := Parse("p.go", []byte(`package p

import (
	"net/http"
	. "strings"
	js "encoding/json"
	"example.test/m/v2"
	"example.test/go-yaml"
)
`))
	want := map[string]string{"http": "net/http", ".": "strings", "js": "encoding/json", "m": "example.test/m/v2", "yaml": "example.test/go-yaml"}
	if got := f.Imports(); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestLocal(t *testing.T) {
	tests := map[string]bool{
		"func @f() {}":                         false,
		"var @v = func() {}":                   false,
		"func f() { var @v int }":              true,
		"func f() { @v := 1; _ = v }":          true,
		"func f() { type @T struct{} }":        true,
		"func (t T) @m() {}":                   false,
		"type S struct{ @a int }":              false,
		"func f() { type T struct{ @a int } }": true,
	}
	for text, want := range tests {
		src, at := marked(t, "package p\n\n"+text)
		if got := Parse("p.go", []byte(src)).Local(at); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
