package golang_test

import (
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

// scout leads from an interface's method to the embedded method that implements it, and back.
func TestPromotedImplementation(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, map[string]string{
		"a.go":         "package m\n\ntype Notifier interface {\n\tNotify(string)\n\tClose() error\n}\n\nfunc run(n Notifier) { n.Notify(\"x\") }\n",
		"base/base.go": "package base\n\ntype Base struct{}\n\nfunc (Base) Notify(string) {}\n",
		"b.go":         "package m\n\nimport \"example.test/m/base\"\n\ntype Service struct{ base.Base }\n\nfunc (Service) Close() error { return nil }\n",
	})}
	for _, kind := range []scout.ChangeKind{scout.Other, scout.AddParameter, scout.Rename} {
		if got := code.EdgeLines(t, "Notifier.Notify", kind); !strings.Contains(got, "base/base.go:5") {
			t.Errorf("%s: from the interface's method:\n%s", kind, got)
		}
		if got := code.EdgeLines(t, "Base.Notify", kind); !strings.Contains(got, "a.go:4") {
			t.Errorf("%s: from the embedded method:\n%s", kind, got)
		}
	}
}

// A type switch over an interface may stand in any package.
func TestSwitchElsewhere(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.Module(t, map[string]string{
		"ast/ast.go": "package ast\n\ntype Node interface{ Pos() int }\n\ntype A struct{}\n\nfunc (*A) Pos() int { return 0 }\n\ntype B struct{}\n\nfunc (B) Pos() int { return 0 }\n",
		"interp/interp.go": `package interp

import "example.test/m/ast"

func eval(n ast.Node) int {
	switch n := n.(type) {
	case *ast.A:
		return n.Pos()
	case ast.B:
		return 2
	}
	return 0
}

func loose(v any) int {
	switch v.(type) {
	case *ast.A, ast.B:
		return 1
	}
	return 0
}

func wide(v interface{ Pos() int }) int {
	switch v.(type) {
	case *ast.A:
		return 1
	}
	return 0
}

func other(v any) int {
	switch v.(type) {
	case *ast.A, int:
		return 1
	}
	return 0
}
`,
	})}
	want := "interp/interp.go:6: type switch in eval (lists 2 types)\ninterp/interp.go:16: type switch in loose (lists 2 types)\ninterp/interp.go:24: type switch in wide (lists 1 type)"
	if got := code.EdgeLines(t, "ast.Node", scout.AddImplementation); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
