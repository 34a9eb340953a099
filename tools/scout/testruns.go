package scout

import (
	"strconv"

	"tidepool/tools/internal/lang/golang"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/wording"
)

// TestRuns tell how it is known which tests run what a question names.
type TestRuns struct {
	Ran       int              `json:"ran"`                 // tests that ran it when each was run alone, as they are now
	Packages  int              `json:"packages"`            // whose tests were run so
	Estimated []estimatedTests `json:"estimated,omitempty"` // those of other packages
	Command   string           `json:"command,omitempty"`   // runs the tests that the answer lists, in the project's directory
}

// estimatedTests are packages of which some tests may run it.
type estimatedTests struct {
	Packages []string `json:"packages"` // directories below the project
	Reason   string   `json:"reason"`   // why it is not known
}

// testRunsOf is what an answer tells of how its tests are known; nil if it is not about tests of Go.
func testRunsOf(known *golang.TestRuns) *TestRuns {
	if known == nil {
		return nil
	}
	runs := &TestRuns{Ran: known.Ran, Packages: known.Packages, Command: known.Command}
	for _, e := range known.Estimated {
		runs.Estimated = append(runs.Estimated, estimatedTests{Packages: e.Packages, Reason: e.Reason})
	}
	return runs
}

// write says in a line what was measured, and in another one how to run the tests.
func (r *TestRuns) write(p *page.Page) {
	if r.Packages > 0 {
		ran := "none"
		if r.Ran > 0 {
			ran = strconv.Itoa(r.Ran)
		}
		p.Line("the tests of %s were run one by one: %s ran it", wording.Plural(r.Packages, "package", "packages"), ran)
	}
	if r.Command != "" {
		p.Line("%s", r.Command)
	}
}
