package outcome

import (
	"strings"
)

var makeStopped = pattern(`^g?make(?:\[\d+\])?: \*\*\* (.*)$`)

// readMake reads "make: *** [Makefile:3: test] Error 1", and for the counts whatever runner the recipe started.
func readMake(lines []string) reading {
	r := first(lines, readPytest, readJest, readVitest, readNode, readCargoTest, readUnittest, readGoTest, readCargoBuild, readTsc, readGoBuild)
	r.once = false // the recipe may go on with another
	for _, line := range lines {
		match := makeStopped().FindStringSubmatch(line)
		switch {
		case match == nil:
		case strings.HasPrefix(match[1], "No rule to make target") || strings.HasPrefix(match[1], "No targets"):
			return reading{verdict: nothing}
		default:
			r.verdict = failed
		}
	}
	return r
}
