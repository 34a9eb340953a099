package conversation

import "tidepool/internal/fulltext"

// The fields of a turn, in the order of weights.
const (
	fieldPrompt fulltext.Field = iota
	fieldProse                 // of the answer
	fieldCode                  // of the answer: what stands in fences and backquotes
	fieldTools                 // files, commands, patterns
)

// Weights says how much a word in each field of a turn counts, and how much the field's length takes from it: of prompt, prose, code,
// and files with commands.
//
// go run ./cmd/train/ranking has tried others. That each field has a length of its own, stems and parts of identifiers bring the gain over
// one text; between these weights and any others that it finds, the mean reciprocal rank differs by less than the standard error, 0.01,
// unless a field counts so much that one word in it is as good as many: 3, 2, 0.5 and 2 are worse by 0.018. Code counts half because that is
// better by 0.01 in the histories of golang/net and tailscale/tailscale, and makes no difference here.
func Weights() fulltext.Weights {
	return fulltext.Weights{
		Weight: []float64{fieldPrompt: 1, fieldProse: 1, fieldCode: .5, fieldTools: 1},
		Length: []float64{fieldPrompt: .4, fieldProse: .75, fieldCode: .75, fieldTools: .3},
		K1:     1.5,
	}
}
