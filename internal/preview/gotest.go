package preview

import (
	"slices"
	"strings"
)

// A goTest reads go test, with -v or without. A failed test is a line "--- FAIL: name (0.00s)"; what it logged stands below that
// line, with -v below one that names the test: "=== RUN   name". Go ends with "FAIL\tpackage\t0.1s" for each package that failed.
type goTest struct{}

func (goTest) read(out *output) reading {
	s := goTestScan{out: out, logged: make(map[string][]int)}
	for i := 0; i < out.lines(); i++ {
		s.line(i, out.line(i))
	}
	s.tests()
	if s.seen {
		s.name = "go test"
	}
	return s.reading
}

// A goTestScan is one pass over an output.
type goTestScan struct {
	reading
	out     *output
	seen    bool             // something that only go test prints
	current string           // the test whose messages come
	logged  map[string][]int // messages by test
	failed  []goFailure      // in the order of the output
	panics  int
	since   int // failures and panics since the last line about a package
}

// A goFailure is a line "--- FAIL".
type goFailure struct {
	test string
	line int
}

func (s *goTestScan) line(i int, line string) {
	text := strings.TrimLeft(line, " ")
	switch {
	case strings.HasPrefix(text, "--- FAIL: ") && strings.HasSuffix(text, "s)"):
		s.current = testName(text)
		s.failed = append(s.failed, goFailure{s.current, i})
		s.seen, s.fails = true, true
		s.since++
	case strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, "s)"):
		s.current = testName(text)
	case strings.HasPrefix(line, "=== "):
		s.started(line)
	case strings.HasPrefix(line, "FAIL\t"):
		s.packageFailed(i, line)
	case strings.HasPrefix(line, "ok  \t"):
		s.seen, s.since = true, 0
	case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
		s.panicked(i)
	case line == "WARNING: DATA RACE":
		s.raced(i)
	case len(line) > len(text) && s.current != "":
		if at, ok := placeOf(text); ok && strings.HasSuffix(at.path, ".go") {
			s.logged[s.current] = keep(s.logged[s.current], i)
		}
	}
}

// testName returns the name in "--- FAIL: name (0.00s)".
func testName(text string) string {
	_, name, _ := strings.Cut(text, ": ")
	return name[:max(0, strings.LastIndex(name, " ("))]
}

// started reads "=== RUN   name", "=== CONT  name" and "=== NAME  name".
func (s *goTestScan) started(line string) {
	if fields := strings.Fields(line); len(fields) == 3 && (fields[1] == "RUN" || fields[1] == "CONT" || fields[1] == "NAME") {
		s.current, s.seen = fields[2], true
	}
}

// packageFailed reads the line at the end of a package. If neither a test nor a panic explains it, the program ended by itself: its
// last lines say why.
func (s *goTestScan) packageFailed(i int, line string) {
	s.seen, s.fails = true, true
	s.add(verdict, i)
	if s.since == 0 && !strings.HasSuffix(line, " failed]") {
		found := 0
		for at := i - 1; at >= max(0, i-10) && found < 2; at-- {
			above := s.out.line(at)
			if above == "FAIL" || strings.HasPrefix(above, "exit status ") || strings.TrimSpace(above) == "" {
				continue
			}
			if strings.HasPrefix(above, "ok  \t") || strings.HasPrefix(above, "FAIL\t") || strings.HasPrefix(above, "?   ") {
				break
			}
			s.add(cause, at)
			found++
		}
	}
	s.since, s.current = 0, ""
}

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

// tests ranks the tests that failed. A test whose subtests failed is named by them.
func (s *goTestScan) tests() {
	parents := make(map[string]bool)
	for _, f := range s.failed {
		if parent := strings.LastIndexByte(f.test, '/'); parent > 0 {
			parents[f.test[:parent]] = true
		}
	}
	first := true
	for _, f := range s.failed {
		messages := s.logged[f.test]
		if parents[f.test] && len(messages) == 0 {
			s.add(context, f.line)
			continue
		}
		s.test(f.line, messages, first)
		first = false
	}
}

// test ranks one that failed. What it logged last is mostly why; the first message is next.
func (s *goTestScan) test(line int, messages []int, first bool) {
	title, more := failure, context
	if first {
		title, more = cause, detail
	}
	s.add(title, line)
	slices.Reverse(messages)
	for n, message := range ends(messages) {
		rank := more
		if n == 0 || n == 1 && first {
			rank = title
		}
		s.add(rank, message)
		s.addRange(rank, message+1, min(deeper(s.out, message), message+5))
		if n == 5 {
			return
		}
	}
}

// deeper returns the line behind those below a line that are further in.
func deeper(out *output, line int) int {
	depth := indent(out.line(line))
	end := line + 1
	for end < min(line+maxBelow, out.lines()) && indent(out.line(end)) > depth && !strings.HasPrefix(strings.TrimSpace(out.line(end)), "--- ") {
		end++
	}
	return end
}
