package preview

import "strings"

// A nodeSpec reads the spec reporter of node --test: "✖ name (1.2ms)" in a tree, "ℹ fail 1", and below "✖ failing tests:" for each
// test "test at file:line:column", its name again and the error.
type nodeSpec struct{}

func (nodeSpec) read(out *output) reading {
	r := reading{}
	declared, causes, listed := 0, 0, false
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case strings.HasPrefix(line, "ℹ fail "):
			r.name = "node --test"
			if declared = max(0, number(line[len("ℹ fail "):])); declared > 0 {
				r.fails = true
				r.add(verdict, i)
			}
		case line == "✖ failing tests:":
			listed = true
		case listed && strings.HasPrefix(line, "test at ") && strings.HasPrefix(out.line(i+1), "✖ "):
			r.nodeFailure(out, i, causes == 0)
			causes++
		}
	}
	if declared > 0 && causes == 0 {
		return reading{}
	}
	return r
}

// nodeFailure reads one test of the list: the first line is where it stands.
func (r *reading) nodeFailure(out *output, i int, first bool) {
	rank, more := failure, context
	if first {
		rank, more = cause, detail
	}
	if r.isFull() {
		return
	}
	r.addRange(rank, i, i+2)
	r.blind = r.blind || strings.TrimSpace(out.line(i+2)) == "'test failed'" // a file that could not be run
	messages := 0
	for at := i + 2; at < min(i+60, out.lines()) && !strings.HasPrefix(out.line(at), "test at "); at++ {
		text := strings.TrimSpace(out.line(at))
		switch {
		case text == "":
		case strings.HasPrefix(text, "at ") || strings.HasSuffix(text, "{"):
			if messages++; isScriptFrame(text) {
				r.add(more, at)
			}
		case messages == 0 || isChange(text):
			messages++
			r.add(rank, at)
		default:
			r.add(more, at)
		}
	}
}

// isChange reports whether a line says what differs: "+ actual", "- expected", "Expected: 3", "-1 !== 3".
func isChange(text string) bool {
	return strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "Expected") ||
		strings.HasPrefix(text, "Received") || strings.Contains(text, " !== ")
}
