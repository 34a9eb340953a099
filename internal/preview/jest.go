package preview

import "strings"

// A jest reads jest's report: "  ● suite › test", the message, the source with ">" before the line, "      at file:line:column", and
// at the end "Tests:       1 failed, 2 passed, 3 total".
type jest struct{}

func (jest) read(out *output) reading {
	r := reading{}
	titles, suites, declared := 0, 0, 0
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case strings.HasPrefix(line, "  ● ") && line != "  ● Console":
			r.jestFailure(out, i, titles+suites == 0)
			if strings.HasSuffix(line, "Test suite failed to run") {
				suites++
			} else {
				titles++
			}
		case strings.HasPrefix(line, "Tests: ") && strings.HasSuffix(line, " total"):
			r.name = "jest"
			if failed := jestFailed(line); failed > 0 {
				declared += failed
				r.add(verdict, i)
			}
		case strings.HasPrefix(line, "Test Suites: ") && jestFailed(line) > 0:
			r.fails = true
			r.add(verdict, i)
		}
	}
	if declared > titles {
		return reading{}
	}
	return r
}

// jestFailed returns the count in "Tests:  1 failed, 2 passed, 3 total".
func jestFailed(line string) int {
	_, counts, _ := strings.Cut(line, ":")
	before, _, found := strings.Cut(counts, " failed")
	if !found {
		return 0
	}
	return max(0, number(strings.TrimSpace(before)))
}

// jestFailure reads one test: the message is what stands above the source.
func (r *reading) jestFailure(out *output, i int, first bool) {
	rank, more := failure, context
	if first {
		rank, more = cause, detail
	}
	if r.isFull() {
		return
	}
	r.add(rank, i)
	messages, framed := 0, false
	for at := i + 1; at < min(i+120, out.lines()); at++ {
		line := out.line(at)
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "  ● ") || text != "" && indent(line) == 0:
			return
		case text == "":
		case strings.HasPrefix(text, "at "):
			if !framed && isScriptFrame(text) {
				r.add(rank, at)
				framed = true
			}
		case strings.HasPrefix(text, "> ") && strings.Contains(text, " |"):
			r.add(more, at)
		case strings.Contains(text, " |") && isDigit(text[0]) || strings.HasPrefix(text, "|"): // the source around it
		case messages == 0 || first && isChange(text):
			messages++
			r.add(rank, at)
		default:
			r.add(more, at)
		}
	}
}
