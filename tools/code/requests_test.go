package code

import (
	"testing"

	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

// What the text tells is not asked: which method a call on a receiver, a parameter or a variable of the method's own type names, and that
// nothing embeds a type.
func TestCallersByText(t *testing.T) {
	code := over(toolstest.Module(t, map[string]string{
		"a.go": "package m\n\ntype T struct{ n int }\n\nfunc (t *T) M() int { return t.n }\n\nfunc (t *T) Twice() int { return t.M() + t.M() }\n\n" +
			"func F(t T) int { return t.M() }\n\nfunc G() int { t := &T{}; return t.M() + made().M() }\n\nfunc made() *T { return &T{} }\n",
		"v_linux.go":   "package m\n\ntype V struct{}\n\nfunc (v V) M() {}\n",
		"v_windows.go": "package m\n\ntype V struct{}\n\nfunc (v V) M() {}\n",
		"w.go":         "package m\n\nfunc Use(v V) { v.M() }\n",
		"b.go":         "package m\n\ntype U struct{}\n\nfunc (u U) M() string { return \"\" }\n\nfunc (u U) N() string { return u.M() }\n",
	}))
	for _, of := range []struct {
		name            string
		requests, sites int
	}{
		{"made", 1, 1},    // references
		{"T.Twice", 2, 0}, // implementations, too
		{"T.M", 3, 5},     // and the definition of made().M
		{"U.M", 2, 1},
		{"v_linux.go:V.M", 3, 1}, // of another system there is another
	} {
		q, err := code.begin(t.Context(), tools.Call{}, tools.Wait{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := q.Resolve(t.Context(), of.name, calledKinds(q)...)
		if err != nil || !r.Found {
			t.Fatalf("%s: %+v, %v", of.name, r, err)
		}
		before := q.View.Requests()
		found, err := q.CallSites(t.Context(), r.Symbol)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.View.Requests() - before; got != of.requests || len(found.Sites) != of.sites {
			t.Errorf("%s: %d requests, %d sites, want %d and %d", of.name, got, len(found.Sites), of.requests, of.sites)
		}
	}
}
