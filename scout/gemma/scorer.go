package gemma

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/ollama"
	"tidepool/scout"
)

// DefaultModel is the model that the prompt was written for.
const DefaultModel = "functiongemma:270m"

// A Scorer is a [scout.Scorer]. It is safe for concurrent use. Goroutines: as
// many per Score as the client runs requests at a time; Score waits for them.
type Scorer struct{ client *ollama.Client }

// New makes a scorer that asks client. The client stays its owner's to close.
func New(client *ollama.Client) *Scorer { return &Scorer{client} }

// Name is "ollama" and the model's name.
func (s *Scorer) Name() string { return nameOf(s.client.Model()) }

func nameOf(model string) string { return "ollama " + model }

// Model returns the name of the model that is asked about each edge.
func (s *Scorer) Model() string { return s.client.Model() }

// Score asks about each edge. Once the server fails in a way that lasts, such as
// a missing model, the edges that are left are not asked about.
func (s *Scorer) Score(ctx context.Context, q scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	scores := make([]scout.Score, len(edges))
	var group errgroup.Group
	group.SetLimit(s.client.Concurrency())
	for i, e := range edges {
		group.Go(func() error {
			scores[i] = s.scoreEdge(ctx, q, e)
			if lasting(scores[i].Err) {
				cancel(scores[i].Err)
			}
			return nil
		})
	}
	group.Wait() // its functions return nil
	for _, score := range scores {
		if score.Err == nil {
			return scores, nil
		}
	}
	if len(edges) == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("none of %d edges was scored: %w", len(edges), scores[0].Err)
}

func (s *Scorer) scoreEdge(ctx context.Context, q scout.Query, e scout.Edge) scout.Score {
	if ctx.Err() != nil {
		return scout.Score{Err: context.Cause(ctx)}
	}
	arguments, err := s.client.Call(ctx, promptFor(q, e))
	score := scout.Score{Err: err}
	if err == nil {
		score = read(arguments, q, e)
	}
	if !arguments.Remembered() {
		score.Calls = 1
	}
	return score
}

// read makes a score of the arguments of a call.
func read(arguments ollama.Arguments, q scout.Query, e scout.Edge) scout.Score {
	score := scout.Score{Reason: arguments.Text("reason")}
	score.Rubric.Tags = scout.TagsOf(q.Change.Kind, e)
	for _, number := range []struct {
		name string
		to   *int
	}{
		{"relevance", &score.Rubric.Relevance},
		{"risk", &score.Rubric.Risk},
		{"complexity", &score.Rubric.Complexity},
		{"confidence", &score.Rubric.Confidence},
	} {
		n, err := arguments.Int(number.name, 1, 5)
		if err != nil {
			return scout.Score{Err: fmt.Errorf("the model's answer cannot be used: %w", err)}
		}
		*number.to = n
	}
	return score
}

func lasting(err error) bool {
	var e *ollama.Error
	return errors.As(err, &e) && e.Lasting()
}
