package outcome

import (
	"strings"
)

var (
	pytestSummary = pattern(`^(?:=+ )?(?:\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)(?:, )?)+ in [0-9.]+s`)
	pytestNothing = pattern(`^(?:=+ )?no tests (?:ran|collected)`)
	unittestCount = pattern(`(?:failures|errors)=(\d+)`)
)

// readPytest reads the last line of pytest, "=== 1 failed, 2 passed in 0.03s ===", without the signs with -q. What failed first stands
// in its short summary, else behind the first line that begins with E.
func readPytest(lines []string) reading {
	r := reading{atEnd: true, once: true}
	named := ""
	for _, line := range lines {
		switch {
		case pytestSummary().MatchString(line):
			r.failed = count(line, "failed") + count(line, "error") + count(line, "errors")
			r.ran = r.failed + count(line, "passed") + count(line, "xfailed") + count(line, "xpassed")
			r.verdict = judged(r.ran, r.failed)
		case pytestNothing().MatchString(line):
			r.verdict = nothing
		case named == "" && (strings.HasPrefix(line, "FAILED ") || strings.HasPrefix(line, "ERROR ")):
			_, named, _ = strings.Cut(line, " ")
		case r.first == "" && strings.HasPrefix(line, "E   "):
			r.first = strings.TrimSpace(line[1:])
		}
	}
	if named != "" && !strings.Contains(named, " - ") && r.first != "" {
		named += " - " + r.first
	}
	r.first = orElse(named, r.first)
	return r
}

// readUnittest reads the last lines of unittest: "Ran 3 tests in 0.001s", then OK or FAILED (failures=1).
func readUnittest(lines []string) reading {
	r := reading{atEnd: true, once: true}
	test := ""
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "FAIL: "), strings.HasPrefix(line, "ERROR: "):
			_, test, _ = strings.Cut(line, " ")
		case strings.HasPrefix(line, "Ran ") && strings.Contains(line, " test"):
			r.ran = max(count(line, "tests"), count(line, "test"))
		case line == "OK" || strings.HasPrefix(line, "OK ("):
			r.verdict = judged(r.ran, 0)
		case strings.HasPrefix(line, "FAILED ("):
			r.verdict = failed
			for _, part := range unittestCount().FindAllStringSubmatch(line, 2) {
				r.failed += number(part[1])
			}
		case strings.HasPrefix(line, "NO TESTS RAN"):
			r.verdict = nothing
		case r.first == "" && strings.HasPrefix(line, "Traceback (most recent call last)"):
			r.first = titled(test, exception(lines[i+1:]))
		}
	}
	return r
}

// judged returns the verdict of so many tests.
func judged(ran, broken int) verdict {
	switch {
	case broken > 0:
		return failed
	case ran > 0:
		return passed
	}
	return nothing
}
