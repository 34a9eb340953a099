package conversation

import "tidepool/internal/fulltext"

// The fields of a turn, in the order of weights.
const (
	fieldPrompt fulltext.Field = iota
	fieldProse                 // of the answer
	fieldCode                  // of the answer: what stands in fences and backquotes
	fieldTools                 // files, commands, patterns
)

// weights says how much a word in each field counts, and how much the field's length takes from it.
func weights() fulltext.Weights {
	return fulltext.Weights{
		Weight: []float64{fieldPrompt: 3, fieldProse: 2, fieldCode: .5, fieldTools: 2},
		Length: []float64{fieldPrompt: .4, fieldProse: .75, fieldCode: .75, fieldTools: .3},
		K1:     1.5,
	}
}
