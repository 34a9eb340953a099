package gemma

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/ollama"
	"tidepool/internal/wording"
	"tidepool/teach"
)

// A Selector is a [teach.Selector]. It is safe for concurrent use.
type Selector struct{ client *ollama.Client }

// New makes a selector that asks client. The client stays its owner's to close.
func New(client *ollama.Client) *Selector { return &Selector{client} }

// Name is "ollama" and the model's name.
func (s *Selector) Name() string { return nameOf(s.client.Model()) }

func nameOf(model string) string { return "ollama " + model }

// Limit returns how many names the model can keep apart.
func (s *Selector) Limit() int { return maxCandidates }

// Select asks about all candidates at once.
func (s *Selector) Select(ctx context.Context, q teach.Question) ([]int, error) {
	choices := choicesOf(q.Candidates)
	arguments, err := s.client.Call(ctx, promptFor(q, choices))
	if err != nil {
		return nil, err
	}
	names, err := arguments.List("selected")
	if err != nil {
		return nil, fmt.Errorf("the model's answer cannot be used: %w", err)
	}
	var chosen []int
	for _, name := range names {
		if i := slices.Index(choices.names, name); i >= 0 && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) == 0 && len(names) > 0 {
		return nil, fmt.Errorf("the model's answer cannot be used: of what it selected, %s, nothing is a candidate", wording.Clip(strings.Join(names, ", "), maxLine))
	}
	return chosen, nil
}
