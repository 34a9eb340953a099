package graph

import (
	"fmt"
	"strings"

	"tidepool/internal/wording"
	"tidepool/tools/internal/excerpt"
)

// maxReason bounds what a text quotes of why tests are not measured, in characters.
const maxReason = 100

// TestRuns tell how it is known which tests run what a walk asked about.
type TestRuns struct {
	Ran       int        `json:"ran"`                 // tests that ran it when each was run alone, as they are now
	Packages  int        `json:"packages"`            // whose tests were run so
	Estimated []Estimate `json:"estimated,omitempty"` // those of other packages
	// Command runs the tests that the answer lists, in the project's directory; "" if it would be long, or several.
	Command string `json:"command,omitempty"`
}

// An Estimate is packages of which some tests may run it.
type Estimate struct {
	Packages []string `json:"packages"` // directories below the project
	Reason   string   `json:"reason"`   // why it is not known
}

// String says where, of at most three packages, and why: "in a, b (no go.mod)".
func (e Estimate) String() string {
	shown := e.Packages[:min(len(e.Packages), 3)]
	text := strings.Join(shown, ", ")
	if more := len(e.Packages) - len(shown); more > 0 {
		text += " and " + wording.Count(more, "more package")
	}
	return fmt.Sprintf("in %s (%s)", text, excerpt.Shorten(e.Reason, maxReason))
}

// Doubt returns what of the answer is estimated; "" if nothing is.
func (r *TestRuns) Doubt() string {
	if r == nil || len(r.Estimated) == 0 {
		return ""
	}
	var texts []string
	for _, e := range r.Estimated {
		texts = append(texts, e.String())
	}
	return "which tests run it is estimated " + strings.Join(texts, ", ")
}
