package statuspage

import (
	"fmt"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// printSecrets writes what was kept from the model, and what could not be.
func printSecrets(p *page.Page, s *protocol.SecretsState) {
	switch {
	case s == nil:
		return
	case s.Native == "off":
		p.Row(page.Odd, "secrets", "Claude Code's own tools show all of them (scrub.native)")
		return
	}
	text := fmt.Sprintf("replaced in %s of Claude Code's own tools", wording.Count(int(s.Replaced), "output"))
	if s.Refused > 0 {
		text += fmt.Sprintf("; %s with a token refused", wording.Count(int(s.Refused), "call"))
	}
	p.Row(page.Plain, "secrets", text)
	for _, odd := range []struct {
		count int64
		noun  string
		what  string
	}{
		{s.Withheld, "output", "withheld, because the search failed (agent logs)"},
		{s.Shown, "failing command", "showed a secret, which no hook can replace (agent init --scrub)"},
		{s.Unknown, "output", "of tools or shapes that are not known, not searched"},
		{s.Unlearned, "list", "of fingerprints that could not be read: known values may be missed (agent logs)"},
	} {
		if odd.count > 0 {
			p.Row(page.Odd, "", wording.Count(int(odd.count), odd.noun)+" "+odd.what)
		}
	}
}
