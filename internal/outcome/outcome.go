// Package outcome reads from the output of a shell command whether its tests or its build passed.
//
// Two things can tell. The exit status does if it is the runner's own: not that of a tail behind it, nor of another command after
// it. The output does if it holds the runner's own summary and nothing can have cut a failure out of it. Where they contradict each
// other, or neither tells, the result is not known: nothing is guessed. A run that ran no test has not passed.
//
// The functions are pure. Outputs are foreign text of any size; of a large one the beginning and the end are read.
package outcome

import (
	"strings"

	"tidepool/internal/shell"
	"tidepool/internal/wording"
)

// A Kind is what a runner does.
type Kind = string

// The kinds.
const (
	Test  Kind = "test"
	Build Kind = "build"
)

// A Result is how the tests or the build of a command ended. The zero value is that of a command which runs neither.
type Result struct {
	Kind    Kind   // Test, Build; "": the command runs neither
	Program string // "go test", "pytest", "npm test", "make check"
	Passed  bool   // only if Known
	Known   bool
	Failed  int    // tests that failed, as far as the output counts them
	Ran     int    // tests that ran, failed ones among them, as far as the output counts them; 0: it does not
	First   string // the first line that says what failed, at most 300 characters; "": none, or it passed
}

// Of reads what a command's output says. The output is what was printed, to both streams. exit is the status of the whole line, -1
// if it did not end by itself; failed says that it was reported as failed, whatever exit is.
//
// A line with several runners has the result of the test that decided it, else of the build.
func Of(command, output string, exit int, failed bool) Result {
	commands, err := shell.Parse(command)
	if err != nil {
		return Result{}
	}
	if failed && exit == 0 {
		exit = -1
	}
	lines := split(output)
	var best Result
	for _, c := range commands {
		if r, ok := runnerOf(c.Words); ok {
			result := r.result(c, lines, exit)
			if better(result, best) {
				best = result
			}
		}
	}
	return best
}

// better reports whether a result says more of its line than the one before: a failure more than a pass, a pass more than
// nothing, and of two that say as much a test more than a build, a later one more than an earlier one.
func better(a, b Result) bool {
	if x, y := weight(a), weight(b); x != y {
		return x > y
	}
	return a.Kind == Test || b.Kind != Test
}

func weight(r Result) int {
	switch {
	case r.Kind == "":
		return 0
	case !r.Known:
		return 1
	case r.Passed:
		return 2
	}
	return 3
}

// abnormal reports whether a status is not the program's own: it did not start (126, 127), timeout ended it (124), a signal did
// (over 128), or it did not end by itself.
func abnormal(exit int) bool { return exit < 0 || exit >= 124 }

// result joins what the status and what the output say of one runner.
func (r runner) result(c shell.Command, lines []string, exit int) Result {
	read := r.read(lines)
	result := Result{Kind: r.kind, Program: r.program, Failed: read.failed, Ran: read.ran}
	status := silent
	switch {
	case exit == 0 && c.IfZero:
		status = passed
	case exit != 0 && c.IfNot && abnormal(exit), c.Apart:
		return result
	case exit != 0 && c.IfNot:
		status = failed
	}
	shown := read.verdict
	switch {
	case shown == nothing:
		return result
	case c.Hidden:
		shown = silent
	case shown == passed && len(c.Filters) > 0 && !(read.atEnd && whole(c.Filters)):
		shown = silent
	case shown == passed && exit != 0 && !read.once:
		shown = silent
	}
	switch {
	case status == silent:
		status = shown
	case shown != silent && shown != status:
		return result // they contradict each other
	case status == failed && shown == silent && r.kind == Test:
		return result // it may not have come to a test
	}
	result.Known, result.Passed = status != silent, status == passed
	if status == failed {
		result.First = clip(read.first, firstOf(lines, c.Hidden))
	}
	return result
}

// whole reports whether filters leave the end of what goes through them, where summaries stand.
func whole(filters []string) bool {
	for _, name := range filters {
		switch name {
		case "tail", "tee", "cat", "less", "more", "ts":
		default:
			return false
		}
	}
	return true
}

func firstOf(lines []string, hidden bool) string {
	if hidden {
		return ""
	}
	return firstError(lines)
}

func clip(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return strings.Clone(wording.Line(wording.Visible(text), maxFirst)) // not a part of the output, which may be large
		}
	}
	return ""
}
