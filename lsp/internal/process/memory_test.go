package process

import (
	"strings"
	"testing"
)

// A program is told its share unless the user has told it something.
func TestMemoryIsTold(t *testing.T) {
	some := Memory{Share: 3 << 30, Budget: 8 << 30}
	for _, test := range []struct {
		name                string
		goGiven, nodeGiven  string
		memory              Memory
		goIsTold, nodeIsToo string
	}{
		{"nothing is set", "", "", some, "GOMEMLIMIT=3072MiB", "NODE_OPTIONS=--max-old-space-size=3072"},
		{"other options of Node", "", "--no-warnings", some, "GOMEMLIMIT=3072MiB", "NODE_OPTIONS=--no-warnings --max-old-space-size=3072"},
		{"the user's own limits", "off", "--max_old_space_size=900", some, "", ""},
		{"a small share", "", "", Memory{Share: 600 << 20, Budget: 1 << 30}, "GOMEMLIMIT=600MiB", "NODE_OPTIONS=--max-old-space-size=2048"},
		{"no budget", "", "", Memory{}, "", ""},
	} {
		if got := strings.Join(test.memory.Go(test.goGiven), "|"); got != test.goIsTold {
			t.Errorf("%s: a Go program gets %q, want %q", test.name, got, test.goIsTold)
		}
		if got := strings.Join(test.memory.Node(test.nodeGiven, test.memory.Share), "|"); got != test.nodeIsToo {
			t.Errorf("%s: one on Node gets %q, want %q", test.name, got, test.nodeIsToo)
		}
	}
}
