package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/ollama"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/scout/scouttest"
	"tidepool/tools"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/lang"
)

func zooGraph(t *testing.T) *graph.Graph {
	t.Helper()
	s := langtest.Subject{Tree: zoo}
	return s.Walk(t)
}

func TestGraph(t *testing.T) {
	scouttest.TestGraph(t, zooGraph(t),
		"zoo.Feed", "Animal.Sound", "zoo.Dog.Sound", "kinds.Color", "Shape", "Canvas", "Canvas.background", "Feed", "main.main")
}

func TestEdges(t *testing.T) {
	tests := []struct {
		name string
		want []string // path:line role > declaration that it leads to
	}{
		{"kinds.Color", []string{
			"kinds/kinds.go:17 conversion > Default", "kinds/kinds.go:22 type use > ParseColor", "kinds/kinds.go:9 member > Red",
			"kinds/kinds.go:11 member > Green", "kinds/kinds.go:13 member > Blue", "kinds/kinds.go:17 member > Default",
			"kinds/kinds.go:9 type use > Red", "kinds/more.go:4 member > Violet", "kinds/more.go:4 type use > Violet",
			"paint/paint.go:11 type use > Name", "paint/paint.go:12 exhaustive switch > Name",
			"paint/paint.go:21 table > hex", "paint/paint.go:21 table > hex",
			"paint/paint.go:26 table > all", "paint/paint.go:26 composite literal > all",
			"paint/paint.go:29 type use > Mix", "paint/paint.go:29 conversion > Mix",
			"paint/paint.go:50 type use > Canvas", "paint/paint.go:54 type use > Canvas.Fill", "paint/paint.go:65 re-export > Hue",
		}},
		{"kinds.Shape", []string{
			"kinds/kinds.go:38 implementation > Circle", "kinds/kinds.go:45 implementation > Square",
			"kinds/kinds.go:52 implementation > Solid", "kinds/kinds.go:53 embedding > Solid",
			"kinds/kinds.go:58 type use > Largest", "kinds/kinds.go:58 type use > Largest", "paint/paint.go:48 implementation > Canvas",
			"paint/paint.go:32 type use > Perimeter", "paint/paint.go:33 type switch > Perimeter",
			"paint/paint.go:45 interface assertion > ",
		}},
		{"Circle.Area", []string{
			"kinds/kinds.go:33 interface method > Shape", "paint/paint.go:40 call > Perimeter", "paint/paint.go:42 call > Perimeter",
			"paint/paint.go:56 method value > Canvas.Fill",
		}},
		{"kinds.Red", []string{
			"kinds/kinds.go:22 reference > ParseColor", "paint/paint.go:12 exhaustive switch > Name", "paint/paint.go:21 table > hex",
			"paint/paint.go:26 reference > all", "paint/paint.go:29 reference > Mix", "paint/paint.go:55 reference > Canvas.Fill",
			"cmd/zoo/main.go:20 reference > main",
		}},
		{"kinds.Circle", []string{
			"kinds/kinds.go:41 type use > Circle.Area", "kinds/kinds.go:42 type use > Circle.isShape",
			"kinds/kinds.go:61 type use > Option", "kinds/kinds.go:64 type use > Radius",
			"paint/paint.go:33 type switch > Perimeter", "paint/paint.go:39 interface assertion > Perimeter",
			"paint/paint.go:45 interface assertion > ", "paint/paint.go:49 embedding > Canvas",
		}},
		{"Canvas.background", []string{
			"paint/paint.go:55 field use > Canvas.Fill", "paint/paint.go:58 field use > Canvas.Fill", "paint/paint.go:62 composite literal > New",
		}},
		{"paint.New", []string{
			"paint/paint_test.go:10 test > TestNew", "paint/paint_test.go:14 example > ExampleNew", "paint/paint_test.go:17 call > helper",
		}},
		{"zoo.Dog.Name", []string{"zoo.go:51 interface method > Animal"}},
	}
	for _, tt := range tests {
		g := zooGraph(t)
		nodes, err := g.Resolve(t.Context(), tt.name)
		if err != nil || len(nodes) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, nodes, err)
		}
		edges, err := g.Edges(t.Context(), nodes[0], scout.Change{})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var got []string
		for _, e := range edges {
			into := e.Into.Name
			if into == "" && e.To.Column > 0 && e.To.Kind != "" {
				into = e.To.Name
			}
			got = append(got, fmt.Sprintf("%s %s > %s", e.To.Location(), e.Role, into))
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}

func TestSwitchesSayHowManyMembersTheyList(t *testing.T) {
	g := zooGraph(t)
	nodes, err := g.Resolve(t.Context(), "kinds.Color")
	if err != nil {
		t.Fatal(err)
	}
	edges, err := g.Edges(t.Context(), nodes[0], scout.Change{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edges {
		if e.Role == scout.RoleSwitch && e.Reason != "lists 3 of 5 members of Color" {
			t.Errorf("%s: %q", e.To.Location(), e.Reason)
		}
	}
}

func newScout(t testing.TB, scorer scout.Scorer) *Toolset {
	t.Helper()
	return &Toolset{Project: zoo.Project, Root: zoo.Root, Memory: langtest.Memory(t), Scorer: scorer}
}

func TestScout(t *testing.T) {
	r := tools.NewRegistry()
	if err := r.Discover(newScout(t, scout.Heuristic{})); err != nil {
		t.Fatal(err)
	}
	var reported []tools.Progress
	call := tools.Call{Tool: "scout", Progress: func(p tools.Progress) {
		if p.Total > 0 { // else it waits for gopls
			reported = append(reported, p)
		}
	}}
	result, err := r.Call(t.Context(), call, json.RawMessage(`{"query":"What breaks if I add a color?","symbols":"kinds.Color","change":"add_variant"}`))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Pointers     []struct{ Location, Action string }
		NodesVisited int `json:"nodesVisited"`
		Completeness struct{ State string }
		Scorer       string
	}
	if err := json.Unmarshal(result.JSON, &answer); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"paint/paint.go:12", "paint/paint.go:21", "paint/paint.go:26"} {
		if !slices.ContainsFunc(answer.Pointers[:min(6, len(answer.Pointers))], func(p struct{ Location, Action string }) bool { return p.Location == want && p.Action != "" }) {
			t.Errorf("%s is not among the first: %+v", want, answer.Pointers)
		}
		if path, line, _ := strings.Cut(want, ":"); !strings.Contains(result.Text, path+"\n") || !strings.Contains(result.Text, "\n "+line+" ") {
			t.Errorf("the text lacks %s:\n%s", want, result.Text)
		}
	}
	if answer.Completeness.State == "" || answer.Scorer != "heuristic" || answer.NodesVisited != len(reported) {
		t.Errorf("answer %+v, %d reports", answer, len(reported))
	}
}

func TestScoutErrors(t *testing.T) {
	in := Input{Query: "what breaks", Symbols: query.Names{"NoSuchThing"}}
	_, err := newScout(t, scout.Heuristic{}).Scout(t.Context(), tools.Call{}, in)
	if missing, ok := errors.AsType[*scout.NotFoundError](err); !ok || missing.Name != "NoSuchThing" {
		t.Errorf("an unknown symbol gives %v", err)
	}
	if _, err := newScout(t, nil).Scout(t.Context(), tools.Call{}, in); err == nil {
		t.Error("no error without a source of scorers")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newScout(t, scout.Heuristic{}).Scout(ctx, tools.Call{}, in); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call gives %v", err)
	}
}

// whole asks until other systems' builds are type-checked, too: each call gets further than the one before.
func whole(t *testing.T, s *Toolset, in Input) *Output {
	t.Helper()
	for {
		out, err := s.Scout(t.Context(), tools.Call{}, in)
		if err != nil {
			t.Fatal(err)
		}
		if c, _ := out.Completeness.(lsp.Completeness); !strings.Contains(c.Reason, "type-checked") {
			return out
		}
	}
}

// The last line says how to have another scorer, but only of an answer that the scorer put in order.
func TestScoutAdvice(t *testing.T) {
	s := newScout(t, scout.Heuristic{})
	s.Advice = "ask somebody else"
	for text, want := range map[string]bool{"How is Feed used?": true, "What breaks if Feed takes one more argument?": false} {
		out := whole(t, s, Input{Query: text, Symbols: query.Names{"zoo.Feed"}})
		if got := strings.HasSuffix(out.Text(), "\n(rules put this in order; ask somebody else)"); got != want {
			t.Errorf("%s: advice at the end is %t in\n%s", text, got, out.Text())
		}
	}
}

// What the compiler says needs no scorer, and what a scorer would have to say is left unscored.
func TestScoutWithoutItsModel(t *testing.T) {
	_, err := ollama.New(ollama.Options{Endpoint: "nowhere", Model: "m"})
	s := newScout(t, gemma.Unusable{Model: "m", Err: err})
	for text, want := range map[string]bool{"How is Feed used?": true, "What breaks if Feed takes one more argument?": false} {
		out := whole(t, s, Input{Query: text, Symbols: query.Names{"zoo.Feed"}})
		answer := out.Text()
		if got := strings.Contains(answer, "ollama m could not score") && strings.Contains(answer, "set GEMMA_ENDPOINT"); got != want || len(out.Pointers) < 2 {
			t.Errorf("%s: told of the model: %t, in\n%s", text, got, answer)
		}
	}
}

// A listener is a tool with the arguments of scout.
type listener struct{ in Input }

func (*listener) Descriptions() fs.FS { return descriptions }

func (l *listener) Scout(_ context.Context, _ tools.Call, in Input) (struct{}, error) {
	l.in = in
	return struct{}{}, nil
}

func TestScoutArguments(t *testing.T) {
	r, heard := tools.NewRegistry(), new(listener)
	if err := r.Discover(heard); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ arguments, want string }{
		{`{"query":"q","symbols":["A","B.C"],"depth":"low"}`, "A B.C low "},
		{`{"query":"q","symbols":"A, B.C,"}`, "A B.C medium "},
		{`{"query":"q","change":{"kind":"rename","detail":"to X"}}`, " medium rename"},
		{`{"query":"q","change":"delete"}`, " medium delete"},
		{`{"query":"q","symbols":1}`, "symbols: expected an array or a string"},
		{`{"query":"q","depth":"shallow"}`, `depth: expected one of "low", "medium", "high", got "shallow"`},
		{`{"query":"q","change":{"detail":"x"}}`, "change.kind: is required"},
		{`{"query":"q","change":{"kind":"delete","detial":"x"}}`, `change: unknown field "detial": did you mean "detail"?`},
		{`{}`, "query: is required"},
	}
	for _, tt := range tests {
		_, err := r.Call(t.Context(), tools.Call{Tool: "scout"}, json.RawMessage(tt.arguments))
		got := fmt.Sprintf("%s %s %s", strings.Join(heard.in.Symbols, " "), heard.in.Depth, heard.in.Change.Kind)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.arguments, got, tt.want)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	g := zooGraph(t)
	if _, err := g.Edges(t.Context(), scout.Node{Name: "main", Path: "main.cob", Line: 1, Column: 1}, scout.Change{}); err == nil {
		t.Error("no error for a file of an unknown language")
	}
}

// none is a graph without a project, which knows its languages.
func none() *graph.Graph { return new(lang.Memory).Graph(nil, "", lang.Options{}) }
