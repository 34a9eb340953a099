package teach

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Heuristic is a [Selector] by fixed rules: what stands in a signature counts
// more than what is only used inside, and words of the topic count wherever they
// stand. The zero value is ready.
type Heuristic struct{}

// Name is "heuristic".
func (Heuristic) Name() string { return "heuristic" }

// Limit is 200: even a type with that many methods is read at once.
func (Heuristic) Limit() int { return 200 }

// Select never fails.
func (Heuristic) Select(_ context.Context, q Question) ([]int, error) {
	topic := topicWords(q.Topic)
	scores := make([]int, len(q.Candidates))
	var chosen []int
	for i, c := range q.Candidates {
		if scores[i] = scoreOf(topic, q, c); scores[i] > 0 {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	return chosen, nil
}

func scoreOf(topic []string, q Question, c Link) int {
	of := q.Of
	score := min(c.Times, 3) - 1 + min(matches(topic, c.To.Line), 1)
	for _, word := range topic {
		switch {
		case matches([]string{word}, c.To.Name) == 0:
		case matches([]string{word}, of.Name) == 0:
			score += 3
		default:
			score++ // what it shares with the symbol that leads to it says less
		}
	}
	switch c.Relation {
	case Signature, Dispatch:
		score += 3
		if c.Relation == Dispatch && baseOf(c.To.Name) == baseOf(of.Name) {
			score += 2 // it hands on what it was asked to do
		}
	case Implementation, Contract:
		score += 2
	case Body:
		score++
		if c.To.Kind == "function" || c.To.Kind == "method" {
			score += 2 // what a function does is what it calls
		}
	case Method:
		score -= 4 // a type has many: only what the topic is about is asked for
		if q.Seed {
			score += 2
		}
	}
	if strings.HasPrefix(of.Name, c.To.Name+".") {
		score += 4 // the type whose method it is
	}
	switch c.To.Kind {
	case "constant", "variable", "property", "field":
		score -= 4
	}
	return score
}

func baseOf(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }
