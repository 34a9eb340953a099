package preview

import "strings"

// A tap reads the Test Anything Protocol: "not ok 2 - name", below it YAML between "---" and "...", and node's count "# fail 1". A test
// whose subtests failed is named by them. A test that is marked TODO or SKIP does not fail.
type tap struct{}

func (tap) read(out *output) reading {
	r := reading{}
	failed, declared, causes := 0, 0, 0
	for i := range out.lines() {
		line := out.line(i)
		text := strings.TrimLeft(line, " ")
		switch {
		case isNotOK(text):
			failed++
			if !r.isFull() && strings.Contains(tapBlock(out, i), "failureType: 'subtestsFailed'") {
				r.add(failure, i)
				continue
			}
			r.tapFailure(out, i, causes == 0)
			causes++
		case strings.HasPrefix(line, "# fail ") || strings.HasPrefix(line, "# failed "):
			declared = max(0, number(line[strings.LastIndexByte(line, ' ')+1:]))
			if declared > 0 {
				r.add(verdict, i)
			}
		case strings.HasPrefix(line, "TAP version ") || strings.HasPrefix(line, "ok 1"):
			r.name = "tap"
		}
	}
	if failed > 0 {
		r.name, r.fails = "tap", true
	}
	if declared > failed {
		return reading{}
	}
	return r
}

func isNotOK(text string) bool {
	rest, found := strings.CutPrefix(text, "not ok ")
	upper := strings.ToUpper(rest)
	return found && isDigit(first(rest)) && !strings.Contains(upper, "# TODO") && !strings.Contains(upper, "# SKIP")
}

// maxBlock bounds the lines of YAML that are read below a test.
const maxBlock = 60

// tapBlock returns the YAML below a test.
func tapBlock(out *output, i int) string {
	var b strings.Builder
	for at := range tapEnd(out, i) - i - 1 {
		b.WriteString(out.line(i + 1 + at))
		b.WriteByte('\n')
	}
	return b.String()
}

// tapEnd returns the line behind the YAML below a test.
func tapEnd(out *output, i int) int {
	end := i + 1
	if strings.TrimSpace(out.line(end)) != "---" {
		return end
	}
	for end < min(i+maxBlock, out.lines()) && strings.TrimSpace(out.line(end)) != "..." {
		end++
	}
	return end
}

// tapFailure reads one test: its name, where it stands, what was expected, and the frame that is nearest to it.
func (r *reading) tapFailure(out *output, i int, first bool) {
	rank, more := failure, context
	if first {
		rank, more = cause, detail
	}
	if r.isFull() {
		return
	}
	r.add(rank, i)
	end := tapEnd(out, i)
	framed := false
	for at := i + 1; at < end; at++ {
		text := strings.TrimSpace(out.line(at))
		switch key, value, _ := strings.Cut(text, ":"); {
		case key == "error" && strings.TrimSpace(value) == "'test failed'": // a file that could not be run
			r.blind = true
		case key == "error" && strings.HasPrefix(strings.TrimSpace(value), "|"): // the message is on the lines below
			r.addRange(rank, at+1, min(deeper(out, at), at+4, end))
		case key == "error" || first && (key == "expected" || key == "actual"):
			r.add(rank, at)
		case key == "location" || key == "message" || key == "expected" || key == "actual" || key == "at" || key == "found" || key == "wanted":
			r.add(more, at)
		case !framed && isScriptFrame(text):
			r.add(more, at)
			framed = true
		}
	}
}

// isScriptFrame reports whether a line of a stack is in a file of the project: not of node and not of a dependency.
func isScriptFrame(text string) bool {
	return hasPlace(text) && !strings.Contains(text, "node:") && !strings.Contains(text, "node_modules")
}
