package scout_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

// at makes a node at a place such as "a.go:12".
func at(name, path string, line int) scout.Node {
	return scout.Node{Name: name, Kind: "function", Path: path, Line: line, Column: 6}
}

// encoder is a small project: an interface with a method Encode, two
// implementations, and callers.
func encoder() (*scouttest.Graph, scout.Node) {
	g := new(scouttest.Graph)
	return g, encoderIn(g)
}

func encoderIn(g *scouttest.Graph) scout.Node {
	method := at("Encoder.Encode", "encode/encoder.go", 10)
	jsonEncode := at("JSON.Encode", "encode/json.go", 20)
	handler := at("handle", "server/handler.go", 5)
	g.Name("Encoder.Encode", method)
	g.Link(method, scout.Edge{To: jsonEncode, Role: scout.RoleImplementation, Snippet: "func (j JSON) Encode(v any) error {"})
	g.Link(method, scout.Edge{
		To: at("Encode", "server/handler.go", 8), Into: handler, Role: scout.RoleCall,
		Enclosing: "handle", Snippet: "\treturn enc.Encode(reply)\n}",
	})
	g.Link(method, scout.Edge{To: at("encode", "doc.go", 1), Role: scout.RoleImport, Snippet: `import "encode"`})
	g.Link(jsonEncode, scout.Edge{
		To: at("Encode", "encode/json_test.go", 33), Into: at("TestJSON", "encode/json_test.go", 30),
		Role: scout.RoleCall, Test: true, Enclosing: "TestJSON", Snippet: "\tJSON{}.Encode(1)",
	})
	g.Link(handler, scout.Edge{To: at("handle", "main.go", 7), Into: at("main", "main.go", 3), Role: scout.RoleCall, Enclosing: "main"})
	return method
}

func walk(t *testing.T, g scout.Graph, q scout.Query) *scout.Answer {
	t.Helper()
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, q, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func locations(a *scout.Answer) []string {
	var all []string
	for _, p := range a.Pointers {
		all = append(all, p.Location)
	}
	return all
}

func TestTestGraphHoldsForTheGraphInMemory(t *testing.T) {
	g, _ := encoder()
	scouttest.TestGraph(t, g, "Encoder.Encode")
}

func TestChangeDecidesWhereTheWalkGoes(t *testing.T) {
	for _, tt := range []struct {
		kind scout.ChangeKind
		want []string
	}{
		// A parameter travels to implementations and their calls, not to callers of callers.
		{scout.AddParameter, []string{"encode/encoder.go:10", "encode/json.go:20", "server/handler.go:8", "encode/json_test.go:33"}},
		// An error travels up the callers.
		{scout.ReturnError, []string{"encode/encoder.go:10", "server/handler.go:8", "encode/json.go:20", "main.go:7", "encode/json_test.go:33"}},
	} {
		g, _ := encoder()
		a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: tt.kind}})
		if diff := cmp.Diff(tt.want, locations(a)); diff != "" {
			t.Errorf("%s: visited (-want +got):\n%s", tt.kind, diff)
		}
		if a.LeftOut != (scout.LeftOut{Context: 1}) {
			t.Errorf("%s: left out %+v, want the import alone, as unaffected", tt.kind, a.LeftOut)
		}
	}
}

func TestAnswer(t *testing.T) {
	g, _ := encoder()
	a := walk(t, g, scout.Query{Text: "What breaks if Encoder.Encode takes one more argument?", Change: scout.Change{Kind: scout.AddParameter}})
	if a.Understood.Change != scout.AddParameter || a.Understood.Inferred || a.Understood.SymbolsFrom != "query" {
		t.Errorf("understood %+v", a.Understood)
	}
	want := scout.Pointer{
		Location: "server/handler.go:8", What: "handle: return enc.Encode(reply)", In: "handle", Risk: 5, Relevance: 5,
		Tags: []scout.Tag{scout.TagBreaksOnAdd}, Action: "pass the new argument", Role: scout.RoleCall, Depth: 1,
	}
	if diff := cmp.Diff(want, a.Pointers[2]); diff != "" {
		t.Errorf("pointer (-want +got):\n%s", diff)
	}
	if len(a.TrainingExamples) != a.NodesVisited-1 {
		t.Errorf("%d training examples of %d nodes, one of them named by the query", len(a.TrainingExamples), a.NodesVisited)
	}
	golden(t, "answer.json", marshal(t, a))
	golden(t, "answer.txt", render.Text(a))
}

func TestAnswerKeepsTheNamesOfItsFields(t *testing.T) {
	g, _ := encoder()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(marshal(t, walk(t, g, scout.Query{Text: "`Encoder.Encode`"}))), &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"summary", "pointers", "nodesVisited", "trainingExamples", "scorer", "unscored"} {
		if fields[name] == nil {
			t.Errorf("no field %q", name)
		}
	}
	var pointers []map[string]json.RawMessage
	if err := json.Unmarshal(fields["pointers"], &pointers); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"location", "what", "risk", "relevance", "tags", "action", "certain"} {
		if pointers[0][name] == nil {
			t.Errorf("a pointer has no field %q", name)
		}
	}
}

func TestBudgetCountsWhatItLeavesOut(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	for i := range 150 {
		g.Link(root, scout.Edge{To: at("caller", fmt.Sprintf("c%03d.go", i), 1), Role: scout.RoleCall})
	}
	for _, tt := range []struct {
		depth     scout.Depth
		visited   int
		open, cut int
	}{
		{"low", 10, 91, 50}, {"Medium", 30, 121, 0}, {"", 30, 121, 0}, {"HIGH", 100, 51, 0},
	} {
		a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"F"}, Depth: tt.depth})
		if a.NodesVisited != tt.visited || a.LeftOut.Open != tt.open || a.LeftOut.Cut != tt.cut {
			t.Errorf("depth %q: visited %d, left out %+v; want %d, open %d, cut %d",
				tt.depth, a.NodesVisited, a.LeftOut, tt.visited, tt.open, tt.cut)
		}
		if more := tt.open+tt.cut > 0; strings.Contains(a.Summary, "more are left out: depth") != more {
			t.Errorf("depth %q: summary %q", tt.depth, a.Summary)
		}
	}
}

func TestCertainEdgesComeFirst(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	g.Link(root, scout.Edge{To: at("a", "a.go", 1), Role: scout.RoleCall})
	g.Link(root, scout.Edge{To: at("z", "z.go", 1), Role: scout.RoleImport, Certain: true})
	q := scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.AddParameter}}
	a := walk(t, g, q)
	if diff := cmp.Diff([]string{"f.go:1", "z.go:1", "a.go:1"}, locations(a)); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
	if !a.Pointers[1].Certain || a.Pointers[0].Certain || a.Pointers[2].Certain {
		t.Error("certain is not exactly what the graph marked")
	}
	if want := "Adding a parameter to F (f.go:1) certainly breaks 1 import. To be looked at besides: 1 call."; a.Summary != want {
		t.Errorf("summary %q, want %q", a.Summary, want)
	}
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, q, scout.Options{MaxEdges: 1})
	if err != nil || !a.Pointers[1].Certain || a.LeftOut.Cut != 1 {
		t.Errorf("with room for one edge: %+v, %v; want the certain one", a, err)
	}
}

func TestOnePlaceIsVisitedOnce(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	caller := at("caller", "c.go", 3)
	site := scout.Node{Name: "F", Path: "c.go", Line: 9, Column: 4}
	g.Link(root, scout.Edge{To: site, Into: caller, Role: scout.RoleReference})
	g.Link(root, scout.Edge{To: site, Into: caller, Role: scout.RoleCall})
	g.Link(root, scout.Edge{To: scout.Node{Name: "F", Path: "c.go", Line: 10, Column: 4}, Into: caller, Role: scout.RoleCall})
	g.Link(caller, scout.Edge{To: root, Role: scout.RoleCall}) // recursion
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"F", "F"}})
	if diff := cmp.Diff([]string{"f.go:1", "c.go:9", "c.go:10"}, locations(a)); diff != "" {
		t.Errorf("visited (-want +got):\n%s", diff)
	}
	if a.Pointers[1].Role != scout.RoleCall {
		t.Errorf("role %q, want the one the change prefers", a.Pointers[1].Role)
	}
	if asked := g.Asked(); !slices.Equal(asked, []string{"f.go:1", "c.go:3"}) {
		t.Errorf("edges asked of %v, want each declaration once", asked)
	}
}

func TestPlacesOfOneDeclarationCostOneNode(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	for i := range 40 {
		g.Link(root, scout.Edge{To: at("F", "c.go", i+10), Into: at("caller", "c.go", 9), Enclosing: "caller", Role: scout.RoleCall})
	}
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.AddParameter}, Depth: scout.Low})
	if a.NodesVisited != 2 || len(a.Pointers) != 41 || len(a.TrainingExamples) != 1 {
		t.Errorf("%d nodes, %d pointers, %d examples; want 2, 41, 1", a.NodesVisited, len(a.Pointers), len(a.TrainingExamples))
	}
	if text := render.Text(a); !strings.Contains(text, "\nc.go:10,11,12,13,14,15,16,17,18,19 +30 caller\n") {
		t.Errorf("want the lines of the caller on one line:\n%s", text)
	}
}

func TestTheTextOfManyPlacesNamesFiles(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	for i := range 60 {
		place := at("caller", fmt.Sprintf("c%d.go", i/58), i+10)
		g.Link(root, scout.Edge{To: place, Role: scout.RoleCall, Enclosing: fmt.Sprint("caller", i), Certain: true})
	}
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: scout.AddParameter}})
	if text := render.Text(a); !strings.Contains(text, ",48,49 +18\nc1.go:68,69\n") {
		t.Errorf("want the lines of each file on one line:\n%s", text)
	}
}

func TestDepthLimit(t *testing.T) {
	g := new(scouttest.Graph)
	g.Name("F0", at("F0", "f.go", 1))
	for i := range 9 {
		g.Link(at("", "f.go", i+1), scout.Edge{To: at("", "f.go", i+2), Role: scout.RoleCall})
	}
	q := scout.Query{Text: "?", Symbols: []string{"F0"}}
	if a := walk(t, g, q); a.NodesVisited != 6 {
		t.Errorf("visited %d nodes of a chain, want 1 + 5 steps", a.NodesVisited)
	}
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, q, scout.Options{MaxDepth: 2})
	if err != nil || a.NodesVisited != 3 {
		t.Errorf("visited %v, %v; want 1 + 2 steps", a, err)
	}
}

func TestProgress(t *testing.T) {
	g, _ := encoder()
	var told []int
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{
		Progress: func(visited, budget int) { told = append(told, visited, budget) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(told) != 2*a.NodesVisited || told[0] != 1 || told[1] != 30 || told[len(told)-2] != a.NodesVisited {
		t.Errorf("told %v over %d nodes", told, a.NodesVisited)
	}
}

// A cutter ends its context when Edges is asked of the nth node.
type cutter struct {
	scout.Graph
	left   int
	cancel context.CancelFunc
}

func (c *cutter) Edges(ctx context.Context, n scout.Node, change scout.Change) ([]scout.Edge, error) {
	if c.left--; c.left < 0 {
		c.cancel()
		return nil, ctx.Err()
	}
	return c.Graph.Edges(ctx, n, change)
}

func TestEndOfContextGivesWhatIsKnown(t *testing.T) {
	for left, want := range []int{1, 4} { // nodes visited when nothing, or the root alone, could be read
		g, _ := encoder()
		ctx, cancel := context.WithCancel(t.Context())
		a, err := scout.Walk(ctx, &cutter{g, left, cancel}, scout.Heuristic{},
			scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.Rename}}, scout.Options{})
		if err != nil {
			t.Errorf("cut at %d: %v", left, err)
			continue
		}
		if a.NodesVisited != want || a.Partial != "stopped early: context canceled" || !strings.Contains(a.Summary, a.Partial) {
			t.Errorf("cut at %d: visited %d, partial %q, summary %q; want %d nodes", left, a.NodesVisited, a.Partial, a.Summary, want)
		}
	}
}

// waiting is a scorer whose model answers only when nobody wants to know any more.
type waiting struct {
	judge
	asked chan<- struct{}
}

func (w waiting) Score(ctx context.Context, _ scout.Query, _ []scout.Edge) ([]scout.Score, error) {
	close(w.asked)
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestEndOfContextWhileAModelIsAsked(t *testing.T) {
	g, _ := encoder()
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	go func() { <-asked; cancel() }()
	a, err := scout.Walk(ctx, g, waiting{asked: asked}, scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Partial != "stopped early: context canceled" || a.Unscored.Count != 3 || len(g.Asked()) != 1 {
		t.Errorf("partial %q, unscored %+v, asked about %v; want the edges of the root, unscored", a.Partial, a.Unscored, g.Asked())
	}
}

func TestContextThatEndedBeforeTheNamesAreFound(t *testing.T) {
	g, _ := encoder()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := scout.Walk(ctx, g, scout.Heuristic{}, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Walk = %v, %v; want context.Canceled", a, err)
	}
}

// A resolver is a graph of one answer and no edges.
type resolver struct{ err error }

func (r resolver) Resolve(context.Context, string) ([]scout.Node, error) { return nil, r.err }
func (r resolver) Edges(context.Context, scout.Node, scout.Change) ([]scout.Edge, error) {
	return nil, nil
}

func TestNamesThatCannotBeLookedUp(t *testing.T) {
	crash := errors.New("gopls exited: signal: killed")
	_, err := scout.Walk(t.Context(), resolver{crash}, scout.Heuristic{}, scout.Query{Text: "`F`"}, scout.Options{})
	if !errors.Is(err, crash) || err.Error() != "looking up F: "+crash.Error() {
		t.Errorf("a graph that fails: %v", err)
	}
	for _, g := range []resolver{{nil}, {&scout.NotFoundError{Name: "F", Reason: "the server is indexing, 3 of 9"}}} {
		_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "`F`"}, scout.Options{})
		var missing *scout.NotFoundError
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), "cannot find F") || !strings.Contains(missing.Hint(), "spelling") {
			t.Errorf("a graph that finds nothing: %v", err)
		} else if !strings.Contains(err.Error(), missing.Reason) {
			t.Errorf("%v does not say why: %s", err, missing.Reason)
		}
	}
}

func TestGraphFailures(t *testing.T) {
	crash := errors.New("gopls exited: signal: killed")
	g, root := encoder()
	g.Fail(at("JSON.Encode", "encode/json.go", 20), crash)
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.AddParameter}})
	if a.Unread != (scout.Failures{Count: 1, Reason: crash.Error()}) || a.NodesVisited < 3 {
		t.Errorf("one node unread: %+v after %d nodes", a.Unread, a.NodesVisited)
	}
	g.Fail(root, crash)
	_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
	if !errors.Is(err, crash) {
		t.Errorf("every root unread: %v, want the graph's error", err)
	}
}
