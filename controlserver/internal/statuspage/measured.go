package statuspage

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// printMeasuredTests writes how far each module is measured.
func printMeasuredTests(p *page.Page, s *protocol.StatusResponse) {
	for _, m := range s.MeasuredTests {
		tone := page.Plain
		if m.Failed > 0 {
			tone = page.Odd
		}
		p.Row(tone, "tests", describeMeasured(m, s.Project))
	}
}

// describeMeasured is "214 tests measured, of 12 of 14 packages, 2 to come".
func describeMeasured(m protocol.MeasuredTests, project string) string {
	text := fmt.Sprintf("%s measured, of %d of %s", wording.Count(m.Tests, "test"), m.Measured, wording.Count(m.Packages, "package"))
	if m.Packages == 0 && m.Waiting > 0 {
		text = "to be measured"
	}
	for _, part := range []struct {
		n    int
		what string
	}{{m.Stale, "changed since"}, {m.Failed, "failed"}, {m.Waiting, "to come"}} {
		if part.n > 0 && m.Packages > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if below, err := filepath.Rel(project, m.Module); err == nil && below != "." {
		text += " in " + below
	}
	text += fmt.Sprintf("; %v of processor time", age(time.Duration(m.CPUMS)*time.Millisecond))
	if len(m.Reasons) > 0 {
		text += ": " + strings.Join(m.Reasons[:min(3, len(m.Reasons))], "; ")
	}
	return text
}
