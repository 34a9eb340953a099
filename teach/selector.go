package teach

import "context"

// A Selector says what belongs to a topic. It must be safe for concurrent use.
type Selector interface {
	// Name says who selects: answers carry it.
	Name() string
	// Limit is how many candidates a question may have.
	Limit() int
	// Select returns the candidates that help to understand the symbol in the
	// light of the topic, as indices, the most important first, each once. None is
	// an answer; that there is no answer is an error.
	Select(ctx context.Context, q Question) ([]int, error)
}

// A Question is what a selector is asked.
type Question struct {
	Topic      string // in words
	Of         Symbol
	Seed       bool   // it is where the exploration began
	Candidates []Link // of the symbol; at least one
}

// maxSelected bounds what is taken of one selection.
const maxSelected = 5
