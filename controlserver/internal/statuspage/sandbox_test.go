package statuspage

import (
	"bytes"
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestSandbox(t *testing.T) {
	for want, s := range map[string]*protocol.SandboxState{
		"":                       nil,
		"sandbox isolation full": {Level: "full"},
		"isolation partial, because step mounts failed: no": {Level: "partial", Step: "mounts", Why: "no", Missing: []string{"a", "b"}},
		"not held: a; b": {Level: "partial", Step: "mounts", Why: "no", Missing: []string{"a", "b"}},
	} {
		var out bytes.Buffer
		printSandbox(page.New(&out), s)
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) || (s == nil) != (got == "") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
