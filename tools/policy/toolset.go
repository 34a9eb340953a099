// Package policy has the tools about policies: what they say about an action, which there are, and what one of them requires.
//
// The tools only look. Their answers are those of the engine that decides about tool calls, and are not counted as such. The texts of
// policies come from files and are shown on lines of their own.
package policy

import (
	"embed"
	"encoding/json"
	"io/fs"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
)

//go:embed desc/*.md
var descriptions embed.FS

// Policies are those that are in force, as a [policy.Engine] has them.
type Policies interface {
	Weigh(tool string, input json.RawMessage) policy.Judgement
	Definitions() []policy.Considered
}

// A Toolset has the tools. Its methods are safe for concurrent use.
type Toolset struct {
	Policies Policies
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// mostLine bounds a text of a policy in an answer, in characters.
const mostLine = 4000

func line(text string) string { return wording.Stored(text, mostLine) }

// tokens estimates the tokens of a text, at four bytes each.
func tokens(text string) int { return (len(text) + 3) / 4 }
