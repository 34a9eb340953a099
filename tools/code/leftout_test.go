package code

import (
	"testing"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

// A file for another system that mentions a name makes an answer partial only if it may mean what is asked about.
func TestLeftOutFilesThatCannotMeanIt(t *testing.T) {
	code := over(toolstest.Module(t, map[string]string{
		"a/a.go": "package a\n\ntype T struct{}\n\nfunc F() {}\n\nfunc Made() T { return T{} }\n\nfunc Far() {}\n\nfunc (T) Plain() {}\n\n" +
			"func (T) Through() {}\n\nfunc (T) Called() {}\n\nfunc (T) own() {}\n\ntype I interface{ Called() }\n",
		"b/b.go": "package b\n\nimport \"example.test/m/a\"\n\nfunc Value() a.T { return a.Made() }\n",
		// imports nothing of it
		"apart/apart_plan9.go": "package apart\n\ntype u struct{}\n\nfunc (u) Plain() {}\n\nfunc (u) Called() {}\n\nfunc F() { Far(); u{}.Plain(); u{}.Called() }\n\nfunc Far() {}\n",
		"apart/apart.go":       "package apart\n",
		// has a value of it by another package, and cannot name what that one imports
		"through/through_plan9.go": "package through\n\nimport \"example.test/m/b\"\n\nfunc Far() { b.Value().Through(); own() }\n\nfunc own() {}\n",
		"through/through.go":       "package through\n",
		"near/near_plan9.go":       "package near\n\nimport \"example.test/m/a\"\n\nfunc Near() { a.Made() }\n",
		"near/near.go":             "package near\n",
	}))
	for name, want := range map[string]lsp.State{
		"a/a.go:F":         lsp.Complete,
		"a/a.go:Far":       lsp.Complete,
		"a/a.go:Made":      lsp.Partial, // near
		"a/a.go:T.Plain":   lsp.Complete,
		"a/a.go:T.Through": lsp.Partial, // through
		"a/a.go:T.Called":  lsp.Partial, // through the interface by anybody
		"a/a.go:T.own":     lsp.Complete,
	} {
		out, err := code.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: name, MaxResults: 50})
		if err != nil {
			t.Fatal(err)
		}
		if out.DefinitionFile == nil || out.Completeness.State != want {
			t.Errorf("%s is %s, want %s: %s", name, out.Completeness.State, want, out.Text())
		}
	}
}

// Where packages of another module may lead there, or something does not parse, a mention counts.
func TestLeftOutFilesOfWhichNothingIsTold(t *testing.T) {
	files := map[string]string{
		"a/a.go":               "package a\n\ntype T struct{}\n\nfunc (T) F() {}\n",
		"apart/apart_plan9.go": "package apart\n\nfunc F() {}\n",
		"apart/apart.go":       "package apart\n",
	}
	for name, more := range map[string]map[string]string{
		"a nested module": {
			"apart/apart_plan9.go": "package apart\n\nimport _ \"example.test/m/n\"\n\nfunc F() {}\n",
			"n/go.mod":             "module example.test/m/n\n\ngo 1.26\n", "n/n.go": "package n\n",
		},
		"broken imports": {"apart/apart_plan9.go": "package apart\n\nimport \"a\n\nfunc F() {}\n"},
	} {
		all := map[string]string{}
		for _, some := range []map[string]string{files, more} {
			for path, text := range some {
				all[path] = text
			}
		}
		code := over(toolstest.Module(t, all))
		out, err := code.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "a/a.go:T.F", MaxResults: 50})
		if err != nil {
			t.Fatal(err)
		}
		if out.Completeness.State != lsp.Partial {
			t.Errorf("%s: %s: %s", name, out.Completeness.State, out.Text())
		}
	}
}
