package doctor

import (
	"context"
	"fmt"
	"strings"
)

// maxWithheld is how many variables are named; a shell has dozens.
const maxWithheld = 12

// Environment tells which variables of the shell do not reach the daemon. It finds no problems.
type Environment struct {
	Withheld []string // names, sorted
}

// Look lists the names.
func (e Environment) Look(context.Context) []Finding {
	n := len(e.Withheld)
	if n == 0 {
		return []Finding{fine("environment", "all variables of this shell reach the daemon")}
	}
	names := strings.Join(e.Withheld[:min(n, maxWithheld)], ", ")
	if n > maxWithheld {
		names += fmt.Sprintf(" and %d more", n-maxWithheld)
	}
	return []Finding{fine("environment", "of this shell's variables the daemon does not get %s; environment.pass names those that it shall have", names)}
}
