package outcome

import (
	"strings"
)

var cargoTargets = pattern(`^error: \d+ targets? failed`)

// readCargoTest reads a line "test result: ok. 3 passed; 0 failed; 1 ignored; …" for each binary. After one that failed cargo ends
// with "error: test failed", unless told to go on.
func readCargoTest(lines []string) reading {
	r := reading{atEnd: true, once: true}
	results := 0
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "test result: "):
			results++
			broken := count(line, "failed")
			r.failed += broken
			r.ran += broken + count(line, "passed")
			if strings.HasPrefix(line, "test result: FAILED") {
				r.verdict = failed
			}
		case cargoFailed(line):
			r.verdict = failed
		case r.first == "" && strings.HasPrefix(line, "thread '") && strings.Contains(line, " panicked at "):
			r.first = titled(strings.Split(line, "'")[1], following(lines[i+1:]))
		}
	}
	if r.verdict == failed {
		r.first = orElse(r.first, rustError(lines))
	} else if results > 0 {
		r.verdict = judged(r.ran, 0)
	}
	return r
}

// readCargoBuild reads "Finished `dev` profile …", or the compiler's errors.
func readCargoBuild(lines []string) reading {
	r := reading{atEnd: true, once: true}
	for _, line := range lines {
		switch {
		case cargoFailed(line):
			r.verdict = failed
		case r.verdict == silent && strings.HasPrefix(strings.TrimSpace(line), "Finished "):
			r.verdict = passed
		}
	}
	if r.verdict == failed {
		r.first = rustError(lines)
	}
	return r
}

func cargoFailed(line string) bool {
	return strings.HasPrefix(line, "error: could not compile") || strings.HasPrefix(line, "error[E") ||
		strings.HasPrefix(line, "error: test failed") || cargoTargets().MatchString(line)
}

// rustError returns the first error of the compiler, with its place, which stands in the line behind it.
func rustError(lines []string) string {
	for i, line := range lines {
		if strings.HasPrefix(line, "error[") || strings.HasPrefix(line, "error: ") && !strings.HasPrefix(line, "error: could not") {
			if next := following(lines[i+1:]); strings.HasPrefix(next, "--> ") {
				return line + " " + next
			}
			return line
		}
	}
	return ""
}
