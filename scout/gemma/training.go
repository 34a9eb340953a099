package gemma

import (
	"fmt"
	"strconv"
	"strings"

	"tidepool/scout"
)

// Question returns the text that the model is asked for an example's judgement, as it reaches the model.
func Question(e scout.TrainingExample) (string, error) {
	query := scout.Query{
		Text: e.Query.Text, Symbols: e.Query.Symbols, Change: scout.Change{Kind: e.Query.Change, Detail: e.Query.Detail},
	}
	edge := scout.Edge{
		From: scout.Node{Name: e.Node.Of}, Role: e.Node.Role, Traits: e.Node.Traits, Reason: e.Node.Link, Enclosing: e.Node.In, Test: e.Node.Test,
		Hover: e.Node.Hover, Snippet: e.Node.Snippet, Depth: e.Node.Depth,
	}
	edge.To.Path, edge.To.Line = fileAndLine(e.Node.Location)
	return promptFor(query, edge).Render()
}

// Answer returns what the model should write then.
func Answer(e scout.TrainingExample) string {
	r := e.Rubric
	return fmt.Sprintf("<start_function_call>call:%s{complexity:%d,confidence:%d,relevance:%d,risk:%d}<end_function_call><end_of_turn>\n",
		rateEdge.Name, r.Complexity, r.Confidence, r.Relevance, r.Risk)
}

// fileAndLine takes "path:line" apart.
func fileAndLine(location string) (path string, line int) {
	colon := strings.LastIndexByte(location, ':')
	if colon < 0 {
		return location, 0
	}
	line, _ = strconv.Atoi(location[colon+1:]) // an example's own
	return location[:colon], line
}
