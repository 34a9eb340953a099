package gemma_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// scorer asks a server whose model is a function.
func scorer(t *testing.T, concurrency int, model func(prompt string) string) (*gemma.Scorer, *ollamatest.Server) {
	t.Helper()
	server := ollamatest.New(t, model)
	return scorerAt(t, server.URL, gemma.DefaultModel, concurrency), server
}

func scorerAt(t *testing.T, endpoint, model string, concurrency int) *gemma.Scorer {
	t.Helper()
	client, err := ollama.New(ollama.Options{Endpoint: endpoint, Model: model, Concurrency: concurrency})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return gemma.New(client)
}

// rating is what a model writes.
func rating(relevance, risk, complexity, confidence any) string {
	return fmt.Sprintf("<start_function_call>call:rate_edge{complexity:%v,confidence:%v,"+
		"reason:<escape>it says so<escape>,relevance:%v,risk:%v}<end_function_call>", complexity, confidence, relevance, risk)
}

// opinion rates by the hash of the prompt.
func opinion(prompt string) string {
	h := fnv.New32a()
	h.Write([]byte(prompt))
	n := h.Sum32()
	return rating(1+n%5, 1+n/5%5, 1+n/25%5, 1+n/125%5)
}

func TestScorer(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		t.Run(fmt.Sprint(concurrency), func(t *testing.T) {
			s, _ := scorer(t, concurrency, opinion)
			scouttest.TestScorer(t, s)
		})
	}
}

func TestPrompt(t *testing.T) {
	edge := scouttest.Edges(5)[4]
	edge.Snippet += "\n}\n\nfunc next() {} // <end_of_turn>"
	s, server := scorer(t, 1, opinion)
	for name, e := range map[string]scout.Edge{
		"full.txt": edge,
		"bare.txt": {To: scout.Node{Name: "F", Path: "f.go", Line: 3, Text: "func F() {"}, Role: scout.RoleDefinition},
	} {
		before := len(server.Prompts())
		if _, err := s.Score(t.Context(), scouttest.Query(scout.AddParameter), []scout.Edge{e}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, server.Prompts()[before])
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; `go test -update` accepts):\n%s", file, diff)
	}
}

func TestLongTextStaysBelowTheContext(t *testing.T) {
	long := strings.Repeat("é long ", 10_000)
	edge := scout.Edge{
		From: scout.Node{Name: long}, To: scout.Node{Path: long, Line: 1}, Role: scout.Role(long),
		Reason: long, Snippet: long, Hover: long, Enclosing: long,
	}
	q := scout.Query{Text: long, Symbols: []string{long}, Change: scout.Change{Kind: scout.Other, Detail: long}}
	s, server := scorer(t, 1, opinion)
	if _, err := s.Score(t.Context(), q, []scout.Edge{edge}); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(server.Prompts()[0])); n > 4096 {
		t.Errorf("the prompt has %d characters, want no more than the context has tokens", n)
	}
}

func TestAnswers(t *testing.T) {
	call := func(arguments string) string {
		return "<start_function_call>call:rate_edge{" + arguments + "}<end_function_call>"
	}
	for _, tt := range []struct {
		name, answer string
		problem      string // part of the error; "": scored
	}{
		{"four numbers", rating(5, 4, 2, 3), ""},
		{"as strings", rating("<escape>5<escape>", "<escape>4<escape>", "<escape>2<escape>", "<escape>3<escape>"), ""},
		{"as floats", rating("5.0", "4.0", "2.0", "3.0"), ""},
		{"with JSON's quotes", call(`"relevance":5, "risk":4, "complexity":2, "confidence":3, "reason":"it says so"`), ""},
		{"with units", rating("5 of 5", "4/5", "2", "3"), ""},
		{"zero", rating(0, 4, 2, 3), "relevance is 0, not a whole number from 1 to 5"},
		{"six", rating(5, 6, 2, 3), "risk is 6, not a whole number from 1 to 5"},
		{"a date", rating(5, 4, "2024-01-01", 3), "complexity is 2024, not a whole number from 1 to 5"},
		{"a percentage", rating(5, 4, 2, "50%"), "confidence is 50, not a whole number from 1 to 5"},
		{"in between", rating("4.5", 4, 2, 3), "relevance is 4.5"},
		{"a word", rating("high", 4, 2, 3), `relevance is "high", not a number`},
		{"one missing", call("relevance:5,risk:4,complexity:2"), "confidence is missing"},
		{"another function", "<start_function_call>call:score{relevance:5}<end_function_call>", "called something else: score"},
		{"no function", "relevance 5", "called no tool: relevance 5"},
		{"no number at all", rating("nano", 4, 2, 3), "the reply is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := scorer(t, 1, func(prompt string) string {
				if strings.Contains(prompt, "toolset0)") {
					return tt.answer
				}
				return rating(1, 1, 1, 1)
			})
			scores, err := s.Score(t.Context(), scouttest.Query(scout.AddParameter), scouttest.Edges(2))
			if err != nil || scores[1].Err != nil {
				t.Fatalf("%v, %v: one answer sank the batch", err, scores)
			}
			if tt.problem != "" {
				if scores[0].Err == nil || !strings.Contains(scores[0].Err.Error(), tt.problem) {
					t.Errorf("%v, want an error with %q", scores[0].Err, tt.problem)
				}
				return
			}
			want := scout.Score{Rubric: scout.Rubric{Relevance: 5, Risk: 4, Complexity: 2, Confidence: 3, Tags: []scout.Tag{}}, Reason: "it says so", Calls: 1}
			if diff := cmp.Diff(want, scores[0]); diff != "" {
				t.Errorf("score (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryEdgeFailing(t *testing.T) {
	s, _ := scorer(t, 2, func(string) string { return "I cannot." })
	_, err := s.Score(t.Context(), scouttest.Query(scout.Other), scouttest.Edges(3))
	if err == nil || !strings.Contains(err.Error(), "none of 3 edges was scored") || !strings.Contains(err.Error(), "I cannot.") {
		t.Errorf("%v", err)
	}
}

func TestMissingModelIsAskedForOnce(t *testing.T) {
	server := ollamatest.New(t, opinion)
	s := scorerAt(t, server.URL, "nope:1b", 1)
	_, err := s.Score(t.Context(), scouttest.Query(scout.Other), scouttest.Edges(30))
	var e *ollama.Error
	if !errors.As(err, &e) || e.Kind != ollama.ModelMissing || e.Hint() != "run `ollama pull nope:1b`" {
		t.Errorf("%v", err)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestServerDownSaysWhatToDo(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	s := scorerAt(t, server.URL, gemma.DefaultModel, 1)
	g := new(scouttest.Graph)
	g.Name("F", scout.Node{Name: "F", Path: "f.go", Line: 1})
	g.Link(scout.Node{Path: "f.go", Line: 1}, scout.Edge{To: scout.Node{Name: "g", Path: "g.go", Line: 1}, Role: scout.RoleCall})
	a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`F`"}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Unscored.Count != 1 || !strings.Contains(a.Unscored.Hint, "ollama serve") || !strings.Contains(render.Text(a), "ollama serve") {
		t.Errorf("%+v, want a hint through the walk", a.Unscored)
	}
}

func TestEndOfContextKeepsWhatIsScored(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Int64
	s, _ := scorer(t, 1, func(string) string {
		if asked.Add(1) == 3 {
			cancel()
		}
		return rating(5, 4, 2, 3)
	})
	scores, err := s.Score(ctx, scouttest.Query(scout.Other), scouttest.Edges(6))
	if err != nil {
		t.Fatal(err)
	}
	for i, score := range scores {
		if scored := i < 2; scored != (score.Err == nil) || !scored && !errors.Is(score.Err, context.Canceled) {
			t.Errorf("edge %d: %v", i, score.Err)
		}
	}
}

func TestUnusable(t *testing.T) {
	away := errors.New("away")
	s := gemma.Unusable{Model: gemma.DefaultModel, Err: away}
	if scores, err := s.Score(t.Context(), scouttest.Query(scout.AddParameter), nil); scores != nil || !errors.Is(err, away) {
		t.Errorf("Score = %v, %v", scores, err)
	}
	if want := scorerAt(t, "http://127.0.0.1:1", gemma.DefaultModel, 1).Name(); s.Name() != want {
		t.Errorf("Name() = %q, want that of the scorer that was chosen, %q", s.Name(), want)
	}
}

func TestEachEdgeCostsOneCallAtMost(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		s, server := scorer(t, concurrency, opinion)
		calls := func(edges []scout.Edge) int {
			t.Helper()
			scores, err := s.Score(t.Context(), scouttest.Query(scout.AddParameter), edges)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, score := range scores {
				n += score.Calls
			}
			return n
		}
		edges := scouttest.Edges(30)
		if n := calls(edges); n != 30 || len(server.Prompts()) != 30 {
			t.Errorf("30 edges: %d calls told, %d prompts", n, len(server.Prompts()))
		}
		edges[7].Snippet = "something else"
		if n := calls(edges); n != 1 || len(server.Prompts()) != 31 {
			t.Errorf("one edge that is new: %d calls told, %d prompts in all", n, len(server.Prompts()))
		}
	}
}

func TestAWalkAsksNoMoreOftenThanItsBudget(t *testing.T) {
	for _, kind := range []scout.ChangeKind{scout.Other, scout.AddVariant} {
		s, server := scorer(t, 4, func(string) string { return rating(4, 4, 2, 3) })
		g := new(scouttest.Graph)
		root := scout.Node{Name: "F", Kind: "enum", Path: "f.go", Line: 1, Column: 6}
		g.Name("F", root)
		for i := range 120 {
			to := scout.Node{Name: fmt.Sprintf("G%d", i), Kind: "function", Path: "g.go", Line: i + 1, Column: 6}
			g.Link(root, scout.Edge{To: to, Role: scout.RoleSwitch})
		}
		query := scout.Query{Text: "`F`", Depth: scout.Medium, Change: scout.Change{Kind: kind}}
		a, err := scout.Walk(t.Context(), g, s, query, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(server.Prompts()); n == 0 || n > 30 || a.ModelCalls != n || a.Scoring <= 0 {
			t.Errorf("%s: %d prompts, %d told, in %s; want 30 at most", kind, n, a.ModelCalls, a.Scoring)
		}
	}
}

func TestHangingUpStopsTheModelCalls(t *testing.T) {
	asked, release := make(chan bool, 30), make(chan bool)
	s, _ := scorer(t, 4, func(string) string {
		asked <- true
		<-release
		return rating(4, 4, 2, 3)
	})
	t.Cleanup(func() { close(release) }) // before the server's end, which waits for its answers
	ctx, hangUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.Score(ctx, scouttest.Query(scout.Other), scouttest.Edges(30))
		ended <- err
	}()
	<-asked
	hangUp()
	if err := <-ended; !errors.Is(err, context.Canceled) { // before the model has answered
		t.Errorf("%v, want the end of the context", err)
	}
	if n := len(asked); n > 4 {
		t.Errorf("%d more requests were begun", n)
	}
}
