package doctor

import (
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	wantFine(t, Environment{}, "environment", "all variables of this shell reach the daemon")
	wantFine(t, Environment{Withheld: []string{"EDITOR", "GH_TOKEN"}}, "environment", "EDITOR, GH_TOKEN; environment.pass")
	wantFine(t, Environment{Withheld: strings.Fields(strings.Repeat("X ", 15))}, "environment", "X and 3 more")
}
