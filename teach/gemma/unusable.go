package gemma

import (
	"context"

	"tidepool/teach"
)

// Unusable is the selector of a model that was chosen and cannot be asked, whatever the question. It is safe for
// concurrent use.
type Unusable struct {
	Model string
	Err   error // why; its Hint method, if it has one, says what to do
}

// Name returns that of the selector that was chosen.
func (u Unusable) Name() string { return nameOf(u.Model) }

// Limit is as of a selector that can be asked.
func (u Unusable) Limit() int { return maxCandidates }

// Select returns Err.
func (u Unusable) Select(context.Context, teach.Question) ([]int, error) { return nil, u.Err }
