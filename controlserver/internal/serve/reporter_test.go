package serve

import (
	"strings"
	"testing"

	"tidepool/protocol"
)

func TestReady(t *testing.T) {
	for _, test := range []struct {
		states string
		want   bool
	}{
		{"", false},
		{"ready", true},
		{"ready missing idle", true},
		{"idle", true},
		{"missing", false},
		{"ready indexing", false},
		{"ready starting", false},
		{"ready failed", false},
		{"ready starting-for-drafts", true},
		{"ready-for-drafts", false},
		{"ready partial", false},
	} {
		var rows []protocol.LanguageServer
		for state := range strings.FieldsSeq(test.states) {
			state, drafts := strings.CutSuffix(state, "-for-drafts")
			rows = append(rows, protocol.LanguageServer{State: state, Drafts: drafts})
		}
		if got := ready(rows); got != test.want {
			t.Errorf("%q: got %v, want %v", test.states, got, test.want)
		}
	}
}
