package preview

import "strings"

// A unittest reads Python's unittest: a rule of "=", "FAIL: test_a (module.Class.test_a)", a rule of "-", a traceback and the
// exception, and at the end "FAILED (failures=1, errors=2)".
type unittest struct{}

func (unittest) read(out *output) reading {
	r := reading{}
	blocks, declared := 0, 0
	for i := range out.lines() {
		line := out.line(i)
		switch {
		case isUnittestTitle(line) && strings.HasPrefix(out.line(i-1), "====="):
			r.unittestBlock(out, i, blocks == 0)
			blocks++
		case strings.HasPrefix(line, "FAILED (") && (strings.Contains(line, "failures=") || strings.Contains(line, "errors=")):
			r.name, r.fails = "unittest", true
			r.add(verdict, i)
			declared += max(0, number(after(line, "failures="))) + max(0, number(after(line, "errors=")))
		case strings.HasPrefix(line, "Ran ") && strings.Contains(line, " test"):
			r.name = "unittest"
		}
	}
	if declared > blocks {
		return reading{}
	}
	return r
}

// after returns what follows a text, "" if it is not there.
func after(text, left string) string {
	_, rest, _ := strings.Cut(text, left)
	return rest
}

func isUnittestTitle(line string) bool {
	return strings.HasPrefix(line, "FAIL: ") || strings.HasPrefix(line, "ERROR: ")
}

// unittestBlock reads one failure: its title, the place that is deepest in the project, and the exception, which is the first line
// that is not further in than the traceback.
func (r *reading) unittestBlock(out *output, i int, first bool) {
	title, more := failure, context
	if first {
		title, more = cause, detail
	}
	if r.isFull() {
		return
	}
	r.add(title, i)
	place, raised := -1, -1
	for at := i + 2; at < min(i+400, out.lines()) && !strings.HasPrefix(out.line(at), "====="); at++ {
		line := out.line(at)
		switch {
		case strings.HasPrefix(line, "  File \""):
			if place < 0 || !isPythonLibrary(line) {
				place = at
			}
		case raised < 0 && line != "" && indent(line) == 0 && !strings.HasPrefix(line, "Traceback ") && !isRule(line) && place >= 0:
			raised = at
		case raised < 0 && strings.HasPrefix(line, "ImportError: Failed to import"):
			r.add(title, at)
		case line == "Stdout:" || line == "Stderr:" || isRule(line) && at > i+1:
			at = out.lines()
		}
	}
	if raised >= 0 {
		r.add(title, raised)
	}
	if place >= 0 {
		r.add(title, place)
		r.add(more, place+1)
	}
	r.changes(out, raised+1, more)
}

// changes adds the lines of a comparison below an exception: those that begin with + or -.
func (r *reading) changes(out *output, first, rank int) {
	for at := first; at > 0 && at < min(first+40, out.lines()) && !isRule(out.line(at)); at++ {
		if line := out.line(at); strings.HasPrefix(line, "+ ") || strings.HasPrefix(line, "- ") {
			r.add(rank, at)
		}
	}
}

func isPythonLibrary(line string) bool {
	return strings.Contains(line, "/lib/python") || strings.Contains(line, "/site-packages/")
}

// isRule reports whether a line consists of - or = alone.
func isRule(line string) bool {
	return len(line) > 10 && (strings.Trim(line, "-") == "" || strings.Trim(line, "=") == "")
}
