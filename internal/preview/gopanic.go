package preview

import "strings"

// panicked reads a panic: its message and what is indented below it, then the first frame of the project.
func (s *goTestScan) panicked(i int) {
	s.since++
	s.add(cause, i)
	running := ""
	for at := i + 1; at < min(i+5, s.out.lines()) && s.out.line(at) != ""; at++ {
		s.add(cause, at)
		if text := strings.TrimSpace(s.out.line(at)); strings.HasPrefix(text, "Test") {
			running, _, _ = strings.Cut(text, " (")
		}
	}
	if running != "" { // a timeout: the test's own goroutine says where it waits
		running = "." + running + "("
	}
	if s.panics++; s.panics > maxPanics {
		return
	}
	if frame := s.frame(i+1, running); frame > 0 {
		s.add(cause, frame)
	}
}

// maxPanics bounds the panics whose stacks are searched. A package ends with its first one.
const maxPanics = 20

// maxFrames bounds the lines that are searched for a frame. A goroutine's stack has at most about 200.
const maxFrames = 20_000

// frame returns the line of the first frame of the project whose function has a name, 0 if there is none.
func (s *goTestScan) frame(first int, function string) int {
	for at := first; at < min(first+maxFrames, s.out.lines()-1); at++ {
		line := s.out.line(at + 1)
		if isGoFrame(line) && strings.Contains(s.out.line(at), function) {
			return at + 1
		}
		if strings.HasPrefix(line, "FAIL\t") {
			return 0
		}
	}
	return 0
}

// isGoFrame reports whether a line is where a frame of a stack is, in a file that is neither of the standard library nor of a
// dependency.
func isGoFrame(line string) bool {
	if indent(line) == 0 || strings.Contains(line, "/src/testing/") || strings.Contains(line, "/src/runtime/") ||
		strings.Contains(line, "/go/src/") || strings.Contains(line, "/pkg/mod/") || strings.Contains(line, "_testmain.go") {
		return false
	}
	_, place, found := strings.Cut(line, ".go:")
	return found && digits(place) > 0
}

// raced reads what the race detector reports: two accesses, each with its stack.
func (s *goTestScan) raced(i int) {
	s.since++
	rank := cause
	if s.seenRace() {
		rank = context
	}
	s.add(rank, i)
	access := false
	for at := i + 1; at < min(i+60, s.out.lines()) && !strings.HasPrefix(s.out.line(at), "===="); at++ {
		line := s.out.line(at)
		switch {
		case strings.Contains(line, " by goroutine ") || strings.Contains(line, " by main goroutine"):
			s.add(rank, at)
			access = true
		case access && isGoFrame(line):
			s.add(rank, at)
			access = false
		}
	}
}

func (s *goTestScan) seenRace() bool {
	for _, line := range s.picks[cause] {
		if s.out.line(line) == "WARNING: DATA RACE" {
			return true
		}
	}
	return false
}
