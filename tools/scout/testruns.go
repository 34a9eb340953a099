package scout

import (
	"strconv"

	"tidepool/internal/wording"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/page"
)

// writeTests says in a line what was measured, and in another one how to run the tests.
func writeTests(p *page.Page, r *graph.TestRuns) {
	if r.Packages > 0 {
		ran := "none"
		if r.Ran > 0 {
			ran = strconv.Itoa(r.Ran)
		}
		p.Line("the tests of %s were run one by one: %s ran it", wording.Count(r.Packages, "package"), ran)
	}
	if r.Command != "" {
		p.Line("%s", r.Command)
	}
}
