package statuspage

import (
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

// printSandbox writes how far commands are confined.
func printSandbox(p *page.Page, s *protocol.SandboxState) {
	switch {
	case s == nil:
		return
	case s.Step == "":
		p.Row(page.Plain, "sandbox", "isolation "+s.Level)
		return
	}
	p.Row(page.Odd, "sandbox", "isolation "+s.Level+", because step "+s.Step+" failed: "+s.Why)
	if len(s.Missing) > 0 {
		p.Row(page.Odd, "", "not held: "+strings.Join(s.Missing, "; "))
	}
}
