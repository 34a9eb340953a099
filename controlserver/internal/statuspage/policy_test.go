package statuspage

import (
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestPolicy(t *testing.T) {
	for _, test := range []struct {
		of   *protocol.PolicyState
		want string
	}{
		{nil, ""},
		{&protocol.PolicyState{}, "policy        0 tool calls checked\n"},
		{
			&protocol.PolicyState{
				PolicyCounts: protocol.PolicyCounts{Checked: 9, Matched: 3, Denied: 1, Asked: 1, Told: 1, Overridden: 1}, Files: 1,
				Policies: []protocol.PolicyCount{
					{ID: "A", Title: "a\x1b", Level: "org", State: "in force", PolicyCounts: protocol.PolicyCounts{Matched: 1, Denied: 1}},
					{ID: "B", Title: "b", Level: "team", State: "expired"},
					{ID: "C", Title: "c", Level: "team", State: "in force"},
				},
				Problems: []string{"x.json:1: no"},
			},
			"POLICY        x.json:1: no\n" +
				"policy        3 policies of 1 file; 9 tool calls checked: 1 denied, 1 asked, 1\n" +
				"              told, 1 overridden\n" +
				"              A (org), a\\x1b: 1 denied\n" +
				"              B (team), b: expired\n",
		},
	} {
		var out strings.Builder
		printPolicy(page.New(&out), test.of)
		if got := out.String(); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}
