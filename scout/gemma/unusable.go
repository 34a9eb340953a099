package gemma

import (
	"context"

	"tidepool/scout"
)

// Advice says how to have FunctionGemma score edges. An answer that the rules put in order ends with it if nobody has
// chosen them.
const Advice = "`ollama pull " + DefaultModel + "`, then `agent init`"

// Unusable is the scorer of a model that was chosen and cannot be asked, whatever the question. It scores no edge, so
// that answers keep what needs no scorer, and say why the rest is unscored. It is safe for concurrent use.
type Unusable struct {
	Model string
	Err   error // why; its Hint method, if it has one, says what to do
}

// Name returns that of the scorer that was chosen.
func (u Unusable) Name() string { return nameOf(u.Model) }

// Score returns Err.
func (u Unusable) Score(context.Context, scout.Query, []scout.Edge) ([]scout.Score, error) {
	return nil, u.Err
}
