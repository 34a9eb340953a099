package code

import (
	"testing"

	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

// What the text tells is not asked: which method a call names whose operand's type can be read off it, that nothing embeds a type, and
// that no call goes through an interface where none has the method.
func TestCallersByText(t *testing.T) {
	code := over(toolstest.Module(t, map[string]string{
		"a.go": "package m\n\ntype I interface {\n\tM() int\n}\n\ntype T struct{ n int }\n\nfunc (t *T) M() int { return t.n }\n\n" +
			"func (t *T) Twice() int { return t.M() + t.M() }\n\n" +
			"func F(t T) int { return t.M() }\n\nfunc G() int { t := &T{}; return t.M() + made().M() }\n\nfunc made() *T { return &T{} }\n\n" +
			"func H(i I, all chan I) int { return i.M() + (<-all).M() }\n",
		"sub/sub.go":   "package sub\n\nimport \"example.test/m\"\n\ntype S struct {\n\tt *m.T\n}\n\nfunc (s S) Sum() int { return s.t.M() + m.I(s.t).M() }\n",
		"v_linux.go":   "package m\n\ntype V struct{}\n\nfunc (v V) M() {}\n",
		"v_windows.go": "package m\n\ntype V struct{}\n\nfunc (v V) M() {}\n",
		"c.go":         "package m\n\nfunc (t *T) own() {}\n\nfunc (t *T) Own() { t.own() }\n\ntype asks interface{ asked() }\n\nfunc (t *T) asked() {}\n\nfunc ask(a asks) { a.asked() }\n",
		"w.go":         "package m\n\nfunc Use(v V) { v.M() }\n",
		"b.go":         "package m\n\ntype U struct{}\n\nfunc (u U) M() string { return \"\" }\n\nfunc (u U) N() string { return u.M() }\n\nfunc N(all []U) string { return all[0].M() }\n",
	}))
	for _, of := range []struct {
		name            string
		requests, sites int
	}{
		{"made", 1, 1},    // references
		{"T.Twice", 2, 0}, // implementations, too
		{"T.own", 1, 1},   // what has a small letter no interface of another package asks for
		{"T.asked", 2, 1},
		{"T.M", 3, 9}, // and the definition of (<-all).M()
		{"I.M", 2, 3}, // which is known now
		{"U.M", 2, 2},
		{"v_linux.go:V.M", 2, 1}, // of another system there is another
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
