package statuspage

import (
	"testing"

	"tidepool/protocol"
)

func TestDescribeMeasured(t *testing.T) {
	for _, tt := range []struct {
		of   protocol.MeasuredTests
		want string
	}{
		{protocol.MeasuredTests{Module: "/p", Waiting: 1}, "to be measured; 0s of processor time"},
		{protocol.MeasuredTests{Module: "/p", Tests: 1, Packages: 1, Measured: 1, CPUMS: 1500}, "1 test measured, of 1 of 1 package; 2s of processor time"},
		{
			protocol.MeasuredTests{Module: "/p/sub", Tests: 20, Packages: 9, Measured: 4, Stale: 1, Failed: 2, Waiting: 3, Reasons: []string{"a", "b", "c", "d"}},
			"20 tests measured, of 4 of 9 packages, 1 changed since, 2 failed, 3 to come in sub; 0s of processor time: a; b; c",
		},
	} {
		if got := describeMeasured(tt.of, "/p"); got != tt.want {
			t.Errorf("%+v:\n got %s\nwant %s", tt.of, got, tt.want)
		}
	}
}
