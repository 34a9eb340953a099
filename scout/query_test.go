package scout_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/scouttest"
)

func TestChangeJSON(t *testing.T) {
	for given, want := range map[string]scout.ChangeKind{
		`null`: "", `"add_parameter"`: scout.AddParameter, `{"kind":"rename","detail":"to Y"}`: scout.Rename, `7`: "refused", `{"kind":7}`: "refused",
	} {
		var c scout.Change
		err := json.Unmarshal([]byte(given), &c)
		var bad *scout.QueryError
		if want == "refused" {
			if !errors.As(err, &bad) || bad.Field != "change" {
				t.Errorf("%s: %v, want an error about the change", given, err)
			}
		} else if err != nil || c.Kind != want {
			t.Errorf("%s: got %+v, %v", given, c, err)
		}
	}
}

func TestQueriesThatCannotBeUsed(t *testing.T) {
	for _, tt := range []struct {
		query     scout.Query
		field     string
		mentioned string
	}{
		{scout.Query{Symbols: []string{"F"}}, "query", "empty"},
		{scout.Query{Text: "q", Symbols: []string{"F"}, Depth: "shallow"}, "depth", "low, medium or high"},
		{scout.Query{Text: "q", Symbols: []string{"F"}, Change: scout.Change{Kind: "explode"}}, "change", "add_parameter, remove_parameter"},
		{scout.Query{Text: "q", Symbols: strings.Split("a b c d e f g h i j k l m n o p q r s t u", " ")}, "symbols", "21 were given, 20"},
		{scout.Query{Text: "what breaks if I add a message type to the protocol?"}, "symbols", "names no identifier"},
	} {
		g, _ := encoder()
		_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, tt.query, scout.Options{})
		var bad *scout.QueryError
		if !errors.As(err, &bad) || bad.Field != tt.field || !strings.Contains(err.Error(), tt.mentioned) || bad.Hint() == "" {
			t.Errorf("%+v: %v, want an error about %s that says %q, and a hint", tt.query, err, tt.field, tt.mentioned)
		}
	}
}

func TestLongQueriesAreCut(t *testing.T) {
	g, _ := encoder()
	long := strings.Repeat("é ", 5000)
	a := walk(t, g, scout.Query{Text: long + "`Encoder.Encode`", Change: scout.Change{Kind: scout.Other, Detail: long}})
	query := a.TrainingExamples[0].Query
	if n, m := len([]rune(query.Text)), len([]rune(query.Detail)); n != 2000 || m != 400 || a.Understood.Detail != query.Detail {
		t.Errorf("%d and %d characters of the query are in an example, want 2000 and 400", n, m)
	}
}

func TestParseChangeKind(t *testing.T) {
	for _, text := range []string{"add_parameter", "Add-Parameter", " ADD PARAMETER "} {
		if kind, err := scout.ParseChangeKind(text); kind != scout.AddParameter || err != nil {
			t.Errorf("ParseChangeKind(%q) = %q, %v", text, kind, err)
		}
	}
}

func TestSymbolsAreTakenFromTheWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string // nil: none
	}{
		{"What breaks if `Marshal` and `pkg.T.M()` fail?", []string{"Marshal", "pkg.T.M"}},
		{"Is chi.node.findPattern called by ServeHTTP or by route_context?", []string{"chi.node.findPattern", "ServeHTTP", "route_context"}},
		{"Who relies on walk()? See main.go, e.g. line 1.26.", []string{"walk"}},
		{"What happens to Marshal's callers?", []string{"Marshal"}},
		{"Remove parser::Node from std::fmt", []string{"parser::Node", "std::fmt"}},
		{"Who needs lsp/view.go:41, `web/user.ts:User.rename` or (x.py:3:7)?", []string{"web/user.ts:User.rename"}},
		{"Who needs lsp/view.go:41, ./web/user.ts:User.rename or (x.py:3:7)?", []string{"lsp/view.go:41", "web/user.ts:User.rename", "x.py:3:7"}},
		{"A.B A.C A.D A.E A.F A.G", nil},
		{"aa.B aa.C aa.D aa.E aa.F aa.G", []string{"aa.B", "aa.C", "aa.D", "aa.E", "aa.F"}},
		{"What breaks? Nothing. The JSON stays.", nil},
		{"Nobody should have to read this.", nil},
		{"rename Foo.bar to Foo.baz", []string{"Foo.bar"}},
	} {
		g := new(scouttest.Graph)
		g.Name("other", at("other", "o.go", 1))
		_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: tt.text}, scout.Options{})
		if err == nil {
			t.Fatalf("%q: no error from a graph that knows no name", tt.text)
		}
		var want []string
		for _, name := range tt.want {
			want = append(want, "cannot find "+name)
		}
		if got := strings.Split(err.Error(), "\n"); tt.want != nil && !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", tt.text, got, want)
		}
		var bad *scout.QueryError
		if tt.want == nil && !errors.As(err, &bad) {
			t.Errorf("%q: %v, want no symbol", tt.text, err)
		}
	}
}

// A word that means nothing is no name, as long as another one is.
func TestWordsThatAreNoNames(t *testing.T) {
	g, _ := encoder()
	for _, text := range []string{
		"Does HugeThing matter to who calls Encoder.Encode?",
		"Does `nothing` matter to who calls Encoder.Encode?",
		"rename the method Encode of Encoder to Write",
		"rename Encoder.Encode to Encoder.Write",
	} {
		a := walk(t, g, scout.Query{Text: text})
		if u := a.Understood; !slices.Equal(u.Symbols, []string{"Encoder.Encode"}) || strings.Contains(a.Summary, "cannot find") {
			t.Errorf("%q: %q\n%s", text, u.Symbols, a.Summary)
		}
	}
}

func TestPlacesAreCalledByTheirNames(t *testing.T) {
	g, root := encoder()
	g.Name("encode/encoder.go:10", root)
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"encode/encoder.go:10"}, Change: scout.Change{Kind: scout.Rename}})
	if !strings.HasPrefix(a.Summary, "Renaming Encoder.Encode (encode/encoder.go:10) touches") {
		t.Errorf("summary %q", a.Summary)
	}
}

func TestNamesThatMeanSeveralThings(t *testing.T) {
	g, _ := encoder()
	g.Name("Encode", at("JSON.Encode", "encode/json.go", 20), at("handle", "server/handler.go", 5))
	for i := range 12 {
		g.Name("String", at("T.String", fmt.Sprintf("t%d.go", i), 1))
	}
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"Encode", "String", "Encoding"}})
	if a.Symbols[0].Walked != 2 || !strings.Contains(a.Summary, "Encode may mean JSON.Encode (encode/json.go:20) or handle") {
		t.Errorf("few: %+v, summary %q", a.Symbols[0], a.Summary)
	}
	if s := a.Symbols[1]; s.Walked != 0 || len(s.Found) != 12 || !strings.Contains(s.Problem, "ambiguous") {
		t.Errorf("many: %+v", s)
	}
	if s := a.Symbols[2]; s.Found == nil || s.Problem != "cannot find Encoding" {
		t.Errorf("none: %+v", s)
	}

	_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"String"}}, scout.Options{})
	var many *scout.AmbiguousError
	if !errors.As(err, &many) || !strings.Contains(many.Hint(), "T.String (t9.go:1), 2 more") {
		t.Errorf("only an ambiguous name: %v", err)
	}
	_, err = scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"Encoding"}}, scout.Options{})
	var hinted interface{ Hint() string }
	if !errors.As(err, &hinted) || hinted.Hint() != "did you mean Encode, Encoder.Encode?" {
		t.Errorf("only an unknown name: %v", err)
	}
}
