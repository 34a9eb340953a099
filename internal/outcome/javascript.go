package outcome

import (
	"strings"
)

var (
	nodeCount = pattern(`^(?:ℹ|#) (tests|pass|fail|cancelled) (\d+)$`)
	nodeError = pattern(`^\s*(?:error: ['|]|\w*Error\b.*: )`)
	tscError  = pattern(`^(?:\S.*(?:\(\d+,\d+\): | - ))?error TS\d+: `)
)

// readScript reads a script of package.json. Which runner it starts is not said, so that each is looked for.
func readScript(lines []string) reading {
	for _, line := range lines {
		if strings.Contains(line, "issing script:") {
			return reading{verdict: nothing}
		}
	}
	return first(lines, readJest, readVitest, readNode, readTsc)
}

// first returns the reading of the first that finds a summary of its own.
func first(lines []string, readers ...func([]string) reading) reading {
	for _, read := range readers {
		if r := read(lines); r.verdict != silent {
			return r
		}
	}
	return reading{}
}

// readJest reads "Test Suites: 1 failed, 1 passed, 2 total" and "Tests: 1 failed, 2 passed, 3 total". A suite that cannot be
// loaded fails without a test.
func readJest(lines []string) reading {
	r := reading{atEnd: true, once: true}
	suites := 0
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "Test Suites: "):
			suites = count(line[len("Test Suites: "):], "failed")
		case strings.HasPrefix(line, "Tests: "):
			counts := strings.TrimSpace(line[len("Tests: "):])
			r.failed = count(counts, "failed")
			r.ran = r.failed + count(counts, "passed")
			r.verdict = judged(r.ran, r.failed+suites)
		case strings.HasPrefix(line, "No tests found"):
			r.verdict = nothing
		case r.first == "" && strings.HasPrefix(line, "  ● "):
			r.first = titled(strings.TrimPrefix(line, "  ● "), following(lines[i+1:]))
		}
	}
	return r
}

// readVitest reads " Test Files  1 failed | 1 passed (2)" and "      Tests  1 failed | 2 passed (3)".
func readVitest(lines []string) reading {
	r := reading{atEnd: true, once: true}
	files := 0
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "Test Files  "):
			files = count(text, "failed")
			r.verdict = judged(0, files)
		case strings.HasPrefix(text, "Tests  "):
			counts := strings.TrimSpace(text[len("Tests  "):])
			r.failed = count(counts, "failed")
			r.ran = r.failed + count(counts, "passed")
			r.verdict = judged(r.ran, r.failed+files)
		case strings.HasPrefix(text, "Errors  ") && strings.HasSuffix(text, "errors") || strings.HasPrefix(text, "Errors  1 error"):
			r.verdict = failed
		case strings.HasPrefix(text, "No test files found"):
			r.verdict = nothing
		case r.first == "" && strings.HasPrefix(text, "FAIL  "):
			r.first = titled(strings.TrimPrefix(text, "FAIL  "), following(lines[i+1:]))
		}
	}
	return r
}

// readNode reads the counts at the end of node:test: "ℹ pass 2" of its spec reporter, "# pass 2" of TAP.
func readNode(lines []string) reading {
	counts := map[string]int{}
	r := reading{atEnd: true, once: true}
	for i, line := range lines {
		if match := nodeCount().FindStringSubmatch(line); match != nil {
			counts[match[1]] = number(match[2])
		} else if r.first == "" && nodeError().MatchString(line) {
			r.first = strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "error: "), "'|- ")
			r.first = orElse(r.first, following(lines[i+1:]))
		}
	}
	if _, ok := counts["fail"]; !ok {
		return reading{}
	}
	r.failed = counts["fail"] + counts["cancelled"]
	r.ran = r.failed + counts["pass"]
	r.verdict = judged(r.ran, r.failed)
	return r
}

// readTsc reads the compiler's errors, "a.ts(3,5): error TS2322: …", or "a.ts:3:5 - error TS2322: …" on a terminal. It prints nothing
// if there are none.
func readTsc(lines []string) reading {
	var r reading
	for _, line := range lines {
		if tscError().MatchString(line) {
			if r.verdict = failed; r.first == "" {
				r.first = line
			}
		}
	}
	return r
}

// following returns the first line that is not blank.
func following(lines []string) string {
	for _, line := range lines {
		if text := strings.TrimSpace(line); text != "" {
			return text
		}
	}
	return ""
}
