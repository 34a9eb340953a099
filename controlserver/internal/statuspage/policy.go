package statuspage

import (
	"fmt"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// shownPolicies bounds the policies that have a row of their own.
const shownPolicies = 8

// printPolicy writes what policies did, and which of them do not count.
func printPolicy(p *page.Page, s *protocol.PolicyState) {
	if s == nil {
		return
	}
	for _, problem := range s.Problems {
		p.Row(page.Bad, "POLICY", problem)
	}
	text := fmt.Sprintf("%s checked%s", wording.Count(int(s.Checked), "tool call"), outcomes(s.PolicyCounts))
	if n := len(s.Policies) + s.More; n > 0 {
		text = fmt.Sprintf("%s of %s; %s", wording.Count(n, "policy"), wording.Count(s.Files, "file"), text)
	}
	p.Row(page.Plain, "policy", text)
	shown := 0
	for _, c := range s.Policies {
		standing := c.State == "in force" || c.State == "not enforced"
		if standing && c.Matched == 0 || shown == shownPolicies {
			continue
		}
		shown++
		row := strings.TrimPrefix(outcomes(c.PolicyCounts), ": ")
		tone := page.Plain
		if !standing {
			row, tone = strings.TrimSuffix(c.State+"; "+row, "; "), page.Odd
		}
		p.Row(tone, "", fmt.Sprintf("%s (%s), %s: %s", c.ID, c.Level, c.Title, row))
	}
}

// outcomes is ": 1 denied, 2 asked"; "" for none.
func outcomes(c protocol.PolicyCounts) string {
	var parts []string
	for _, part := range []struct {
		n    int64
		what string
	}{{c.Denied, "denied"}, {c.Asked, "asked"}, {c.Allowed, "allowed"}, {c.Told, "told"}, {c.Overridden, "overridden"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if parts == nil {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
