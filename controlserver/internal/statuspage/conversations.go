package statuspage

import (
	"fmt"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// printConversations writes how much of what was said in the project can be searched.
func printConversations(p *page.Page, c *protocol.ConversationsState) {
	if c == nil {
		return
	}
	tone := page.Plain
	if c.State != "complete" || c.Refused+c.Unreadable > 0 {
		tone = page.Odd
	}
	p.Row(tone, "sessions", describeConversations(c))
	for _, note := range c.Notes {
		p.Row(page.Odd, "", note)
	}
}

// describeConversations is "complete: 1,204 turns of 31 sessions, 12 of them deleted by Claude Code; 3 MB".
func describeConversations(c *protocol.ConversationsState) string {
	state := c.State
	if c.State == "indexing" {
		state = fmt.Sprintf("indexing, %d %%", int(c.Share*100))
	}
	if c.Why != "" {
		state += " (" + c.Why + ")"
	}
	parts := []string{fmt.Sprintf("%s: %s of %s", state, wording.Count(c.Turns, "turn"), wording.Count(c.Sessions, "session"))}
	for _, part := range []struct {
		n    int
		what string
	}{{c.Gone, "without a transcript"}, {c.Refused, "files not read"}, {c.Unreadable, "lines not read"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if c.StoreBytes > 0 {
		parts = append(parts, fmt.Sprintf("%.1f MB kept of %.1f MB", float64(c.StoreBytes)/(1<<20), float64(c.SourceBytes)/(1<<20)))
	}
	return strings.Join(parts, ", ")
}
