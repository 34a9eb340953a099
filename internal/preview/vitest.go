package preview

import "strings"

// A vitest reads vitest's report: " FAIL  file > suite > test", the error, what differs, " ❯ file:line:column" above the source, and
// at the end "      Tests  1 failed | 2 passed (3)".
type vitest struct{}

func (vitest) read(out *output) reading {
	r := reading{}
	titles, declared := 0, 0
	for i := range out.lines() {
		line := out.line(i)
		text := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(line, " FAIL  "):
			r.vitestFailure(out, i, titles == 0)
			titles++
		case strings.HasPrefix(text, "Tests  ") || strings.HasPrefix(text, "Test Files  "):
			r.name = "vitest"
			if failed := vitestFailed(text); failed > 0 {
				declared, r.fails = failed, true
				r.add(verdict, i)
			}
		}
	}
	if r.name == "" || declared > titles {
		return reading{}
	}
	return r
}

// vitestFailed returns the count in "Tests  1 failed | 2 passed (3)".
func vitestFailed(text string) int {
	counts := strings.TrimSpace(after(text, "  "))
	if n := digits(counts); strings.HasPrefix(counts[n:], " failed") {
		return max(0, number(counts))
	}
	return 0
}

// vitestFailure reads one test.
func (r *reading) vitestFailure(out *output, i int, first bool) {
	rank, more := failure, context
	if first {
		rank, more = cause, detail
	}
	if r.isFull() {
		return
	}
	r.add(rank, i)
	messages, placed := 0, false
	for at := i + 1; at < min(i+60, out.lines()); at++ {
		text := strings.TrimSpace(out.line(at))
		switch {
		case strings.HasPrefix(text, "⎯⎯") || strings.HasPrefix(text, "FAIL  ") && messages > 0:
			return
		case text == "" || strings.HasPrefix(text, "FAIL  "):
		case strings.HasPrefix(text, "❯ "):
			if !placed && !strings.Contains(text, "node_modules") {
				r.add(rank, at)
				placed = true
			}
		case strings.Contains(text, "|") && isDigit(text[0]) || strings.HasPrefix(text, "|"): // the source
		case messages == 0:
			messages++
			r.add(rank, at)
		default:
			r.add(more, at)
		}
	}
}
