package doctor

import (
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	wantFine(t, Environment{}, "environment", "all variables of this shell reach the daemon")
	const other = "the daemon (pid 7) has other variables than this shell: PATH=/bin; it keeps them until controlserver stop"
	if found := (Environment{Differs: []string{"PATH=/bin"}, Whose: "the daemon (pid 7)"}).Look(t.Context()); len(found) != 2 || !found[1].OK || found[1].Text != other {
		t.Errorf("%+v", found)
	}
	wantFine(t, Environment{Withheld: []string{"EDITOR", "GH_TOKEN"}}, "environment", "EDITOR, GH_TOKEN; environment.pass")
	wantFine(t, Environment{Withheld: strings.Fields(strings.Repeat("X ", 15))}, "environment", "X and 3 more")
}
