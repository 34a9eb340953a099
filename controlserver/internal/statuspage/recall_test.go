package statuspage

import (
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestPrintRecall(t *testing.T) {
	for _, tt := range []struct {
		of   *protocol.RecallState
		want string
	}{
		{nil, ""},
		{&protocol.RecallState{State: "unused"}, "memories      unused\n"},
		{&protocol.RecallState{State: "building", Why: "31 %", Memories: 1}, "memories      building (31 %): 1 of this project\n"},
		{&protocol.RecallState{State: "off", Why: "the disk is full\x1b[2J", Memories: 7}, "memories      off (the disk is full\\x1b[2J)\n"},
		{
			&protocol.RecallState{
				State: "ready", Memories: 214, Others: 1031, Journal: 1, Told: 12, Silent: 40, Queued: 2, Dropped: 3, StoreBytes: 3 << 19,
				Notes: []string{"memory.db was no database, and is now memory.db.1"},
			},
			"memories      ready: 214 of this project, 1031 of others; 1 open in the journal;\n" +
				"              12 told, 40 prompts without; 2 on their way to the disk; 3 lost,\n" +
				"              because too many came at once; 1.5 MB\n" +
				"              memory.db was no database, and is now memory.db.1\n",
		},
	} {
		var out strings.Builder
		printRecall(page.New(&out), tt.of)
		if got := out.String(); got != tt.want {
			t.Errorf("\n got %s\nwant %s", got, tt.want)
		}
	}
}
