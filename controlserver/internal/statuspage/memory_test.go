package statuspage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestPrintMemory(t *testing.T) {
	state := func(budget, occupied int64, stuck string) *protocol.MemoryState {
		return &protocol.MemoryState{
			BudgetBytes: budget << 20, BudgetReason: "as set", OccupiedBytes: occupied << 20, Stuck: stuck,
			Occupants: []protocol.MemoryOccupant{{Name: "daemon", Bytes: 40 << 20}, {Name: "gopls for drafts", Bytes: 900 << 20}, {Name: "x\x1b[2J", Bytes: 7}},
		}
	}
	for _, test := range []struct {
		name  string
		state *protocol.MemoryState
		want  string
	}{
		{"within", state(4000, 941, ""), "memory        941 of 4000 MB (as set): daemon 40, gopls for drafts 900, x\\x1b[2J\n              1\n"},
		{"over", state(900, 941, ""), "memory        941 MB, over the budget of 900 (as set): daemon 40, gopls for\n              drafts 900, x\\x1b[2J 1\n"},
		{"stuck", state(900, 941, "nothing can be stopped now"),
			"memory        941 MB, over the budget of 900 (as set): daemon 40, gopls for\n              drafts 900, x\\x1b[2J 1\n              nothing can be stopped now\n"},
		{"none", &protocol.MemoryState{BudgetReason: "nobody knows", OccupiedBytes: 5 << 20, Occupants: []protocol.MemoryOccupant{{Name: "daemon", Bytes: 5 << 20}}},
			"memory        5 MB: daemon 5; no budget: nobody knows. Set memory.budget\n"},
		{"not known", &protocol.MemoryState{BudgetBytes: 1}, ""},
		{"an older daemon", nil, ""},
	} {
		var out strings.Builder
		printMemory(page.New(&out), test.state)
		if diff := cmp.Diff(test.want, out.String()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}
