package statuspage

import (
	"fmt"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// printSearches writes how many of the model's searches for one identifier were noted.
func printSearches(p *page.Page, s *protocol.SearchState) {
	switch {
	case s == nil || s.Searches == 0:
		return
	case s.Off:
		p.Row(page.Plain, "searches", "get no notes (search_notes.enabled)")
		return
	}
	text := fmt.Sprintf("%d of %s for one identifier got a note", s.Noted, wording.Count(int(s.Searches), "search"))
	if s.Late > 0 {
		text += fmt.Sprintf("; %d not ready in time", s.Late)
	}
	p.Row(page.Plain, "searches", text)
}
