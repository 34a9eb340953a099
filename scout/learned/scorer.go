package learned

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"tidepool/scout"
)

//go:embed weights.txt
var weightsText string

var embedded = sync.OnceValue(func() *Model {
	m, err := ParseModel(strings.NewReader(weightsText))
	if err != nil {
		panic(fmt.Sprintf("learned: weights.txt does not parse: %v", err))
	}
	return m
})

// A Scorer is a [scout.Scorer] and a [scout.Explainer]. Its zero value has the
// weights that the program was built with. It is safe for concurrent use.
type Scorer struct {
	// Model has the weights; nil: those that the program was built with.
	Model *Model
}

// Name is "learned".
func (Scorer) Name() string { return "learned" }

func (s Scorer) model() *Model { return cmp.Or(s.Model, embedded()) }

// Score never fails, but for a ctx that has ended. Edges under a kind of change
// that the model has not seen are scored as [scout.Heuristic] does.
func (s Scorer) Score(ctx context.Context, q scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	scores, err := scout.Heuristic{}.Score(ctx, q, edges)
	m := s.model()
	if err != nil || !m.kinds[q.Change.Kind] {
		return scores, err
	}
	for i, e := range edges {
		p := m.probability(featuresOf(q.Change.Kind, e))
		r := &scores[i].Rubric
		r.Relevance, r.Risk = grade(p, 0.625), grade(p, 0.375)
		r.Confidence = max(r.Confidence, grade(math.Abs(2*p-1), 0.5))
		scores[i].Reason = strings.TrimPrefix(e.Reason+fmt.Sprintf("; breaks with probability %.2f", p), "; ")
	}
	return scores, nil
}

// grade is a probability as one of five. Two grades with different offsets say
// more than one.
func grade(p, offset float64) int { return 1 + int(math.Floor(4*p+offset)) }

// Explain says what the model weighed, what counts most first. It is nil under a
// kind of change that the model has not seen.
func (s Scorer) Explain(q scout.Query, e scout.Edge) []scout.Weighed {
	m := s.model()
	if !m.kinds[q.Change.Kind] {
		return nil
	}
	var all []scout.Weighed
	for _, f := range featuresOf(q.Change.Kind, e) {
		if weight := m.weights[f.name]; weight != 0 {
			all = append(all, scout.Weighed{Feature: f.name, Value: f.value, Weight: weight})
		}
	}
	slices.SortStableFunc(all, func(a, b scout.Weighed) int {
		return cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight))
	})
	return all
}
