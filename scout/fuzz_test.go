package scout_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

// FuzzQuery sends whatever a caller may send through a walk.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		`{"query":"What breaks if Encoder.Encode takes one more argument?"}`,
		`{"query":"rename","symbols":"F, G","depth":"High"}`,
		`{"query":"q","symbols":["F"],"change":{"kind":"add_variant","detail":"Purple"}}`,
		"{\"query\":\"`x` e.g. é::ü_ is\",\"change\":\"other\"}",
		`{"query":"the field is deleted. being","symbols":null}`, `[]`, `{"symbols":{}}`, `{"query":"'s"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var q scout.Query
		if json.Unmarshal(data, &q) != nil {
			return
		}
		g, root := encoder()
		g.Name("F", root)
		for _, name := range q.Symbols {
			g.Name(name, root)
		}
		a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, q, scout.Options{})
		if err != nil {
			return
		}
		if a.NodesVisited > 100 || a.Understood.Budget > 100 || len(a.Understood.Symbols) == 0 {
			t.Errorf("understood %+v, visited %d", a.Understood, a.NodesVisited)
		}
		if _, err := scout.ParseChangeKind(string(a.Understood.Change)); err != nil {
			t.Error(err)
		}
	})
}

// FuzzText renders answers to places with any text: one line each, valid UTF-8.
func FuzzText(f *testing.F) {
	f.Add("a.go", "call", "\tf(x)\n}", "hover", "main")
	f.Add("dir with blanks/ü:1.go", "", "\xff\x00", "", "")
	f.Add("", "no role", strings.Repeat("x", 900), "\n", "a\nb")
	f.Fuzz(func(t *testing.T, path, role, snippet, hover, enclosing string) {
		g, root := new(scouttest.Graph), at("F", "f.go", 1)
		g.Name("F", root)
		g.Link(root, scout.Edge{
			To: scout.Node{Name: "F", Path: path, Line: 2}, Role: scout.Role(role), Certain: true,
			Snippet: snippet, Hover: hover, Enclosing: enclosing, Reason: hover,
		})
		a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"F"}}, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := render.Text(a)
		if !utf8.ValidString(text) {
			t.Errorf("not UTF-8: %q", text)
		}
		// The summary, a blank line, what to do or nothing, the file, its line.
		if n := strings.Count(text, "\n"); n < 3 || n > 5 {
			t.Errorf("%d lines for one place:\n%s", n, text)
		}
	})
}
