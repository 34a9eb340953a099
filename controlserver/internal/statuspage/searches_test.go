package statuspage

import (
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestSearches(t *testing.T) {
	for want, of := range map[string]*protocol.SearchState{
		"": nil,
		"searches      2 of 3 searches for one identifier got a note\n":                    {Searches: 3, Noted: 2},
		"searches      0 of 1 search for one identifier got a note; 1 not ready in time\n": {Searches: 1, Late: 1},
		"searches      get no notes (search_notes.enabled)\n":                              {Searches: 1, Off: true},
	} {
		var out strings.Builder
		printSearches(page.New(&out), of)
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
