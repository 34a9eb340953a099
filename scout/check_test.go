package scout_test

import (
	"context"
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

// broken is a place that a compiler refuses.
func broken(path string, line int, role scout.Role) scout.Edge {
	return scout.Edge{
		To: scout.Node{Name: "Encode", Path: path, Line: line, Column: 2}, Into: at("user", path, 1),
		Enclosing: "user", Role: role, Certain: true, Reason: "not enough arguments in call", Test: strings.HasSuffix(path, "_test.go"),
	}
}

func check(t *testing.T, kind scout.ChangeKind, verdict scout.Verdict, o scout.Options) (*scout.Answer, *scouttest.Graph) {
	t.Helper()
	c := &scouttest.Checker{Verdict: verdict}
	encoderIn(&c.Graph)
	a, err := scout.Walk(t.Context(), c, scout.Heuristic{}, scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: kind}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return a, &c.Graph
}

func TestWhatTheCompilerSaysIsTheAnswer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		kind    scout.ChangeKind
		verdict scout.Verdict
		want    []string // beyond the definition
		asked   int
		summary string
	}{
		{"all seen", scout.AddParameter,
			scout.Verdict{Rounds: 2, Broken: []scout.Edge{broken("x_test.go", 4, scout.RoleCall), broken("z.go", 9, scout.RoleConversion), broken("a.go", 7, scout.RoleCall)}},
			[]string{"a.go:7", "z.go:9", "x_test.go:4"}, 0,
			"Adding a parameter to Encoder.Encode (encode/encoder.go:10) certainly breaks 1 conversion, 2 calls."},
		{"nothing breaks", scout.AddParameter, scout.Verdict{Rounds: 1}, nil, 0,
			"Adding a parameter to Encoder.Encode (encode/encoder.go:10) breaks nothing: the compiler accepts it."},
		{"contracts lost", scout.Rename, scout.Verdict{Rounds: 1, Lost: []string{"a.A.F", "b.B.F", "c.C.F", "d.D.F"}}, nil, 0,
			"Renaming Encoder.Encode (encode/encoder.go:10) breaks nothing: the compiler accepts it. The method will not implement a.A.F, b.B.F, c.C.F or 1 other any more: code that asks for that at run time still compiles."},
		{"one file unseen", scout.AddParameter,
			scout.Verdict{Rounds: 1, Unseen: func(path string) bool { return path == "server/handler.go" }, Broken: []scout.Edge{broken("a.go", 7, scout.RoleCall)}},
			[]string{"a.go:7", "server/handler.go:8"}, 2, // the implementation is passed through
			"Adding a parameter to Encoder.Encode (encode/encoder.go:10) certainly breaks 1 call. Where no compiler looks: 1 call."},
		{"refused", scout.AddParameter, scout.Verdict{Refusal: "it is declared in C"},
			[]string{"encode/json.go:20", "server/handler.go:8", "encode/json_test.go:33"}, 2,
			"Adding a parameter to Encoder.Encode (encode/encoder.go:10) touches 1 implementation, 2 calls. No compiler was asked: it is declared in C."},
		{"no compiler sees the chain", scout.ReturnError, scout.Verdict{Rounds: 1, Broken: []scout.Edge{broken("a.go", 7, scout.RoleCall)}},
			[]string{"server/handler.go:8", "encode/json.go:20", "main.go:7", "encode/json_test.go:33"}, 4, ""},
		{"an open question", scout.Other, scout.Verdict{Broken: []scout.Edge{broken("a.go", 7, scout.RoleCall)}},
			[]string{"encode/json.go:20", "server/handler.go:8", "main.go:7", "encode/json_test.go:33"}, 4, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, g := check(t, tt.kind, tt.verdict, scout.Options{})
			if diff := cmp.Diff(tt.want, locations(a)[1:], cmp.Transformer("", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("pointers (-want +got):\n%s", diff)
			}
			if len(g.Asked()) != tt.asked {
				t.Errorf("the graph was asked for the edges of %v", g.Asked())
			}
			if tt.summary != "" && a.Summary != tt.summary {
				t.Errorf("summary %q,\nwant %q", a.Summary, tt.summary)
			}
		})
	}
}

func TestCertainPlacesAreBeyondTheBudget(t *testing.T) {
	var all []scout.Edge
	for i := range 600 {
		all = append(all, broken(fmt.Sprintf("c%03d.go", i), i+1, scout.RoleCall))
	}
	a, _ := check(t, scout.Delete, scout.Verdict{Rounds: 1, Broken: all}, scout.Options{})
	if n := len(a.Pointers); n != 501 || a.LeftOut.Certain != 100 || a.NodesVisited != 1 || a.Check.Broken != 600 {
		t.Errorf("%d pointers, left out %+v, visited %d, check %+v; want 1 + 500, 100, 1", n, a.LeftOut, a.NodesVisited, a.Check)
	}
	if !strings.Contains(a.Summary, "certainly breaks 500 calls, and 100 more than are listed.") {
		t.Errorf("summary %q", a.Summary)
	}
	if n := len(a.TrainingExamples); n != 500 || !a.TrainingExamples[0].Certain {
		t.Errorf("%d examples, the first %+v; want 500 that the compiler judged", n, a.TrainingExamples[0])
	}
}

func TestWhatPeopleHaveWrittenComesFirst(t *testing.T) {
	all := []scout.Edge{broken("z_test.go", 1, scout.RoleCall), broken("z.go", 1, scout.RoleCall)}
	for i := range 600 {
		written := broken(fmt.Sprintf("c%03d.go", i), i+1, scout.RoleCall)
		written.Traits = []scout.Trait{{Name: scout.TraitGenerated, Detail: "gen"}}
		all = append(all, written)
	}
	a, _ := check(t, scout.Delete, scout.Verdict{Rounds: 1, Broken: all}, scout.Options{})
	if got := locations(a)[1:4]; !slices.Equal(got, []string{"z.go:1", "z_test.go:1", "c000.go:1"}) || a.LeftOut.Certain != 102 {
		t.Errorf("%v first, %d left out", got, a.LeftOut.Certain)
	}
	if text := render.Text(a); !strings.Contains(text, "498 places in 498 generated files such as c000.go:1: regenerate with gen") {
		t.Error(text)
	}
}

func TestCertainPlacesSayWhatToDo(t *testing.T) {
	e := broken("a.go", 7, scout.RoleCall)
	e.Fix = "pass ctx"
	a, _ := check(t, scout.AddParameter, scout.Verdict{Rounds: 1, Broken: []scout.Edge{e, broken("a.go", 8, scout.RoleCall)}}, scout.Options{})
	if p := a.Pointers[1]; p.Action != "pass ctx" || !p.Certain || p.Reason != "not enough arguments in call" || p.In != "user" {
		t.Errorf("pointer %+v", p)
	}
	want := "\npass the new argument (*: pass ctx):\na.go:7*,8 user\n"
	if !strings.HasSuffix(render.Text(a), want) {
		t.Errorf("text %q, want the end %q", render.Text(a), want)
	}
}

func TestTheTextSaysOnceWhatToDo(t *testing.T) {
	fixed := func(path string, line int, role scout.Role, fix string) scout.Edge {
		e := broken(path, line, role)
		e.Fix = fix
		return e
	}
	a, _ := check(t, scout.AddParameter, scout.Verdict{Rounds: 1, Broken: []scout.Edge{
		broken("a.go", 7, scout.RoleCall), broken("b.go", 9, scout.RoleCall), broken("c.go", 9, scout.RoleImplementation),
		fixed("a.go", 8, scout.RoleConversion, "stop using *A as one"), fixed("a.go", 5, scout.RoleConversion, "stop using *B as one"),
		fixed("d.go", 8, scout.RoleConversion, "stop using *C as one"), broken("d.go", 9, scout.RoleImport),
	}}, scout.Options{})
	want := `
no longer fits the interface: change both (*: pass the new argument; +: no longer compiles):
c.go:9 user: take the new parameter too
a.go:5,7*,8 user
b.go:9 user *
d.go:8,9+ user
`
	if _, text, _ := strings.Cut(render.Text(a), "\n"); text != want {
		t.Errorf("text (-want +got):\n%s", cmp.Diff(want, text))
	}
}

func TestACheckThatFailsCostsCertaintyOnly(t *testing.T) {
	c := &scouttest.Checker{Err: errors.New("gopls exited: signal: killed")}
	encoderIn(&c.Graph)
	q := scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.Rename}}
	a, err := scout.Walk(t.Context(), c, scout.Heuristic{}, q, scout.Options{})
	if err != nil || a.Check.Tried || !strings.Contains(a.Summary, c.Err.Error()) {
		t.Errorf("%+v, %v; want the failure in the summary", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a, err = scout.Walk(ctx, hangUp{c, cancel}, scout.Heuristic{}, q, scout.Options{})
	if err != nil || a.Partial == "" || len(a.Pointers) != 1 {
		t.Errorf("hung up: %+v, %v; want a partial answer", a, err)
	}
}

// hangUp is a checker whose caller leaves while it checks.
type hangUp struct {
	*scouttest.Checker
	leave func()
}

func (h hangUp) Check(ctx context.Context, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
	h.leave()
	return h.Checker.Check(ctx, c, roots)
}

// A model is a scorer that calls for each edge.
type model struct {
	judge
	asked int
}

func (*model) Model() string { return "m" }

func (m *model) Score(ctx context.Context, q scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	m.asked += len(edges)
	scores, err := m.judge.Score(ctx, q, edges)
	for i := range scores {
		scores[i].Calls = 1
	}
	return scores, err
}

func TestModelsAreAskedSparingly(t *testing.T) {
	g, root := new(scouttest.Graph), at("F", "f.go", 1)
	g.Name("F", root)
	for i := range 100 {
		g.Link(root, scout.Edge{To: at("caller", fmt.Sprintf("c%02d.go", i), 1), Role: scout.RoleCall, Certain: i >= 90})
	}
	for kind, want := range map[scout.ChangeKind]int{scout.AddParameter: 30, scout.Other: 15} {
		m := &model{judge: func(e scout.Edge) scout.Score {
			if e.Certain || e.Depth == 0 {
				t.Errorf("%s: asked about %+v, which needs no score", kind, e)
			}
			return fine(4)
		}}
		a, err := scout.Walk(t.Context(), g, m, scout.Query{Text: "?", Symbols: []string{"F"}, Change: scout.Change{Kind: kind}}, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.asked > want || a.ModelCalls != m.asked || a.LeftOut.Cut != 90-m.asked {
			t.Errorf("%s: %d edges asked about, want at most %d; %d calls, left out %+v", kind, m.asked, want, a.ModelCalls, a.LeftOut)
		}
	}
}

func TestChangesThatMakeNoSense(t *testing.T) {
	g, _ := encoder()
	enum := scout.Node{Name: "Level", Kind: "type", Path: "level.go", Line: 3, Column: 6}
	field := scout.Node{Name: "T.Level", Kind: "field", Path: "a.go", Line: 3, Column: 2}
	g.Name("Level", field, enum)
	q := scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.AddVariant}}
	_, err := scout.Walk(t.Context(), g, scout.Heuristic{}, q, scout.Options{})
	var mismatch *scout.MismatchError
	if !errors.As(err, &mismatch) || err.Error() != "add_variant makes no sense for Encoder.Encode (encode/encoder.go:10), which is a function" ||
		!strings.Contains(mismatch.Hint(), "add_parameter, remove_parameter, ") || strings.Contains(mismatch.Hint(), "variant") {
		t.Errorf("a variant of a function: %v", err)
	}

	q.Symbols = []string{"Level"} // of what the name means, only one can have variants
	a := walk(t, g, q)
	if s := a.Symbols[0]; s.Walked != 1 || s.Found[0].Kind != "type" || len(s.Found) != 2 || !slices.Equal(locations(a), []string{"level.go:3"}) {
		t.Errorf("%+v, walked %v; want the type alone", s, locations(a))
	}
}

// What a thing is may not say whether a change makes sense for it; the graph knows more.
func TestChangesThatTheGraphFindsSenseless(t *testing.T) {
	c := &scouttest.Checker{Verdict: scout.Verdict{Senseless: true, Refusal: "it asks for nothing"}}
	encoderIn(&c.Graph)
	q := scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.AddParameter}}
	_, err := scout.Walk(t.Context(), c, scout.Heuristic{}, q, scout.Options{})
	var mismatch *scout.MismatchError
	if !errors.As(err, &mismatch) || !strings.HasSuffix(err.Error(), "which is a function: it asks for nothing") ||
		!strings.HasPrefix(mismatch.Hint(), "what can be done to it is remove_parameter, ") {
		t.Errorf("told so: %v", err)
	}

	q = scout.Query{Text: "What breaks if Encoder.Encode takes another parameter?", Symbols: []string{"Encoder.Encode"}}
	a, err := scout.Walk(t.Context(), c, scout.Heuristic{}, q, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if u := a.Understood; u.Change != scout.Other || !strings.Contains(a.Summary, "add_parameter makes no sense for Encoder.Encode") || !strings.Contains(a.Summary, `pass change: {"kind": "add_parameter", "detail": "ctx context.Context, first"}, `) {
		t.Errorf("read from the words: %+v\n%s", u, a.Summary)
	}
}

func TestAVariantOfAnInterface(t *testing.T) {
	g, _ := encoder()
	g.Name("Shape", scout.Node{Name: "Shape", Kind: "interface", Path: "shape.go", Line: 3, Column: 6})
	a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"Shape"}, Change: scout.Change{Kind: scout.AddVariant}})
	if a.Understood.Change != scout.AddImplementation {
		t.Errorf("%+v", a.Understood)
	}
}

func TestWordsThatMakeNoSense(t *testing.T) {
	g, _ := encoder()
	a := walk(t, g, scout.Query{Text: "add a variant to Encoder.Encode", Symbols: []string{"Encoder.Encode"}})
	want := "add_variant makes no sense for Encoder.Encode (encode/encoder.go:10), which is a function. To be certain, pass change: {\"kind\": \"add_parameter\", "
	if a.Understood.Change != scout.Other || !strings.Contains(a.Summary, want) {
		t.Errorf("%+v\n%s", a.Understood, a.Summary)
	}
}

// Who has not said which edit is meant is told what refers to the symbol, and what to say.
func TestAnEditThatIsNotSaid(t *testing.T) {
	c := &scouttest.Checker{Verdict: scout.Verdict{Unclear: true, Refusal: "the new signature is not said"}}
	encoderIn(&c.Graph)
	for _, q := range []scout.Query{
		{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.ChangeSignature}},
		{Text: "change the signature of Encoder.Encode", Symbols: []string{"Encoder.Encode"}},
	} {
		a := walk(t, c, q)
		want := `No edit was tried: the new signature is not said. Encoder.Encode (encode/encoder.go:10) is referred to by 1 implementation, 1 call, 1 import. ` +
			`To be certain, pass change: {"kind": "change_signature", "detail": "(name string) (int, error)"}.`
		if u := a.Understood; a.Summary != want || u.Change != scout.Other || u.Meant != scout.ChangeSignature || a.Check.Tried {
			t.Errorf("%q: %+v\n%s\nwant\n%s", q.Text, u, a.Summary, want)
		}
	}
}

// Where a kind of change that needs no detail has been refused, nobody is told to pass that kind.
func TestAnEditThatCannotBeMade(t *testing.T) {
	c := &scouttest.Checker{Verdict: scout.Verdict{Unclear: true, Refusal: "it takes any number of arguments already"}}
	encoderIn(&c.Graph)
	a := walk(t, c, scout.Query{Text: "make Encoder.Encode variadic", Symbols: []string{"Encoder.Encode"}})
	if !strings.HasPrefix(a.Summary, "No edit was tried: it takes any number of arguments already.") || strings.Contains(a.Summary, "pass change") {
		t.Error(a.Summary)
	}
}

// Words that leave a doubt make nothing certain, and those that only say what is not to be done are no edit.
func TestDoubtfulWords(t *testing.T) {
	c := &scouttest.Checker{Verdict: scout.Verdict{Rounds: 1, Broken: []scout.Edge{broken("a.go", 7, scout.RoleCall)}}}
	encoderIn(&c.Graph)
	for text, want := range map[string]string{
		"What breaks if Encoder.Encode takes a context?":      "Adding a parameter to Encoder.Encode (encode/encoder.go:10) certainly breaks 1 call.",
		"add logging to Encoder.Encode":                       "If add_parameter is meant: Adding a parameter to Encoder.Encode (encode/encoder.go:10) breaks 1 call. The words may also mean ",
		"we do not want to add a parameter to Encoder.Encode": "No edit was tried: the words say what is not to be done. Encoder.Encode (encode/encoder.go:10) is referred to by ",
	} {
		a := walk(t, c, scout.Query{Text: text, Symbols: []string{"Encoder.Encode"}})
		if !strings.HasPrefix(a.Summary, want) {
			t.Errorf("%q: %s\nwant %s", text, a.Summary, want)
		}
		if asks := strings.Contains(a.Summary, "To be certain, pass change: "); asks == strings.Contains(a.Summary, "certainly") {
			t.Errorf("%q: %s", text, a.Summary)
		}
	}
}
