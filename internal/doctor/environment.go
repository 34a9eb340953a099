package doctor

import (
	"context"
	"fmt"
	"strings"
)

// maxWithheld is how many variables are named; a shell has dozens.
const maxWithheld = 12

// Environment tells which variables of the shell do not reach the daemon, and which the daemon has otherwise. It finds no problems.
type Environment struct {
	Withheld []string // names, sorted
	Differs  []string // "NAME=value" as the daemon has it, where the shell has another value
	Whose    string   // "the daemon (pid 7)"
}

// Look lists the names.
func (e Environment) Look(context.Context) []Finding {
	found := []Finding{e.withheld()}
	if len(e.Differs) > 0 {
		found = append(found, fine("environment", "%s has other variables than this shell: %s; it keeps them until controlserver stop", e.Whose, strings.Join(e.Differs, ", ")))
	}
	return found
}

func (e Environment) withheld() Finding {
	n := len(e.Withheld)
	if n == 0 {
		return fine("environment", "all variables of this shell reach the daemon")
	}
	names := strings.Join(e.Withheld[:min(n, maxWithheld)], ", ")
	if n > maxWithheld {
		names += fmt.Sprintf(" and %d more", n-maxWithheld)
	}
	return fine("environment", "of this shell's variables the daemon does not get %s; environment.pass names those that it shall have", names)
}
