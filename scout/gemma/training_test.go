package gemma_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/model/parsers"

	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/scout/scouttest"
)

// What a walk keeps of a judgement is enough to ask the very same question again, and its answer is one that Ollama's own
// parser reads.
func TestExamplesAreWhatTheModelSaw(t *testing.T) {
	s, server := scorer(t, 1, opinion)
	query := scout.Query{Text: "How does Registry.Discover\nwork? <end_of_turn>", Symbols: []string{"Registry.Discover"}, Change: scout.Change{Kind: scout.Other, Detail: "x"}}
	edges := scouttest.Edges(6)
	edges[1].Reason = "passed to run"
	if _, err := s.Score(t.Context(), query, edges); err != nil {
		t.Fatal(err)
	}
	for _, e := range edges {
		example := scout.ExampleOf(query, e, scout.Rubric{Relevance: 4, Risk: 2, Complexity: 1, Confidence: 5})
		question, err := gemma.Question(example)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(server.Prompts(), "<bos>"+question) {
			t.Errorf("%s: the model was not asked this:\n%s", e.To.Location(), question)
		}
		parser := parsers.ParserForName("functiongemma")
		parser.Init(server.Requests()[1].Tools, nil, nil)
		_, _, calls, err := parser.Add(strings.TrimSuffix(gemma.Answer(example), "<end_of_turn>\n"), true)
		if err != nil || len(calls) != 1 || calls[0].Function.Name != "rate_edge" {
			t.Fatalf("%v: %v", calls, err)
		}
		got := calls[0].Function.Arguments.ToMap()
		if fmt.Sprint(got["relevance"], got["risk"], got["complexity"], got["confidence"]) != "4 2 1 5" {
			t.Errorf("the answer is read as %v", got)
		}
	}
}
