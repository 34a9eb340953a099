package statuspage

import (
	"testing"

	"tidepool/protocol"
)

func TestDescribeConversations(t *testing.T) {
	for _, tt := range []struct {
		of   protocol.ConversationsState
		want string
	}{
		{protocol.ConversationsState{State: "complete"}, "complete: 0 turns of 0 sessions"},
		{protocol.ConversationsState{State: "indexing", Share: .259, Turns: 1, Sessions: 1}, "indexing, 25 %: 1 turn of 1 session"},
		{
			protocol.ConversationsState{State: "partial", Why: "no watch", Turns: 20, Sessions: 3, Gone: 1, Refused: 2, Unreadable: 4, StoreBytes: 3 << 19, SourceBytes: 10 << 20},
			"partial (no watch): 20 turns of 3 sessions, 1 without a transcript, 2 files not read, 4 lines not read, 1.5 MB kept of 10.0 MB",
		},
	} {
		if got := describeConversations(&tt.of); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
