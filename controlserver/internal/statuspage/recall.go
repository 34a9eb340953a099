package statuspage

import (
	"fmt"
	"strings"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

// printRecall writes what is remembered, and whether it can be told.
func printRecall(p *page.Page, r *protocol.RecallState) {
	if r == nil {
		return
	}
	tone := page.Plain
	switch {
	case r.State == "off":
		tone = page.Bad
	case r.State == "building" || r.Dropped > 0:
		tone = page.Odd
	}
	p.Row(tone, "memories", describeRecall(r))
	for _, note := range r.Notes {
		p.Row(page.Odd, "", note)
	}
}

// describeRecall is "ready: 214 of this project, 1031 of others; 12 told, 40 prompts without; 3.1 MB".
func describeRecall(r *protocol.RecallState) string {
	text := r.State
	if r.Why != "" {
		text += " (" + r.Why + ")"
	}
	if r.State == "off" || r.State == "unused" { // nothing was counted
		return text
	}
	text += fmt.Sprintf(": %d of this project", r.Memories)
	if r.Others > 0 {
		text += fmt.Sprintf(", %d of others", r.Others)
	}
	parts := []string{text}
	if r.Journal > 0 {
		parts = append(parts, fmt.Sprintf("%d open in the journal", r.Journal))
	}
	if r.Told+r.Silent > 0 {
		parts = append(parts, fmt.Sprintf("%d told, %d prompts without", r.Told, r.Silent))
	}
	if r.Queued > 0 {
		parts = append(parts, fmt.Sprintf("%d on their way to the disk", r.Queued))
	}
	if r.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d lost, because too many came at once", r.Dropped))
	}
	if r.StoreBytes > 0 {
		parts = append(parts, fmt.Sprintf("%.1f MB", float64(r.StoreBytes)/(1<<20)))
	}
	return strings.Join(parts, "; ")
}
